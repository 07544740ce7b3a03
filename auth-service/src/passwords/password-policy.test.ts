import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';
import { expectError, send } from '@platform/shared/testing/responses';
import { hashSync } from 'bcryptjs';
import { expect } from 'chai';
import { type RunningAuthService, startAuthService, useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';
import { expectWrongPassword } from '../../testing/second-factor.ts';
import { range } from '../../testing/sign-in-attempts.ts';

const GOOD = 'A better horse 2';
const BREACHED = 'Tr0ub4dor&3';

/**
 * Passwords and the rule that rejects each. With the accepted password, these are exactly the attempts that one
 * code allows.
 */
const listRejected = (email: string): [password: string, rule: string][] => [
  ['1QAZ2wsx', 'common-password'],
  [email.toUpperCase(), 'password-is-email'],
  [email.split('@')[0] ?? '', 'password-is-email'],
  [BREACHED, 'breached-password'],
];

const hash = (password: string): string => createHash('sha1').update(password).digest('hex').toUpperCase();
const toRange = (password: string): string => `/range/${hash(password).slice(0, 5)}`;

/** Starts an API that lists one breached password among padding, and records the requests. */
const startRangeApi = async () => {
  const api = { isDown: false, paths: [] as string[] };
  const server = createServer((req, res) => {
    api.paths.push(req.url ?? '');
    if (api.isDown) return res.writeHead(503).end();
    const found = req.url === toRange(BREACHED) ? `${hash(BREACHED).slice(5)}:42\r\n` : '';
    return res.end(`${'0'.repeat(35)}:0\r\n${found}`);
  });
  const { port, close } = await listenLocally(server);
  return Object.assign(api, { url: `http://127.0.0.1:${port}/range`, close });
};

/** An operation that sets a password. `path` is the field of the password. */
type Operation = { email: string; path: string; set: (password: string) => Promise<HttpResponse> };

describe('password policy', () => {
  let api: Awaited<ReturnType<typeof startRangeApi>>;
  let service: RunningAuthService;

  before('start the range API and auth-service', async () => {
    api = await startRangeApi();
    service = await startAuthService({ BREACHED_PASSWORDS_URL: `${api.url}/`, PASSWORD_BLOCKLIST: 'on' });
  });
  after('stop them', async () => {
    await service?.stop();
    await api?.close();
  });
  const expectRejected = (response: HttpResponse, path: string, rule: string): void => {
    expectError(response, 400, 'VALIDATION_FAILED', path);
    expect(response.body.details).to.have.lengthOf(1).and.to.have.nested.property('0.rule', rule);
  };

  const register = async (): Promise<Operation> => {
    const client = service.as('administrator');
    const { device } = await client.createAccountAndDevice();
    const email = uniqueEmail();
    const call = (password: string) => ({ headers: bearer(device), body: { email, password } });
    const set = (password: string) =>
      send(service.url, 'POST', `${ADMINISTRATOR.path}/register`, call(password));
    return { email, path: '/body/password', set };
  };
  const client = () => service.as('customer');
  const signUp = async (): Promise<Operation> => {
    const email = uniqueEmail();
    const set = (password: string) => client().signUp({ body: { email, password } });
    return { email, path: '/body/password', set };
  };
  const change = async (): Promise<Operation> => {
    const { account, device } = await client().createAccountAndDevice();
    const { email, password: currentPassword } = account;
    const set = (newPassword: string) =>
      client().resetPasswordMe({ ...device, body: { currentPassword, newPassword } });
    return { email, path: '/body/newPassword', set };
  };
  const reset = async (): Promise<Operation> => {
    const { email } = await client().createAccount();
    const code = await service.as('customer').requestResetCode(email);
    const set = (newPassword: string) =>
      client().resetPasswordEmailCode({ body: { email, code, newPassword } });
    return { email, path: '/body/newPassword', set };
  };

  for (const [name, kind, begin] of [
    ['a sign-up', CUSTOMER, signUp],
    ['a registration', ADMINISTRATOR, register],
    ['a password change', CUSTOMER, change],
    ['a reset by code', CUSTOMER, reset],
  ] as const)
    it(`rejects common, breached and own passwords at ${name}, and accepts others`, async () => {
      const { email, path, set } = await begin();
      api.paths.length = 0;
      for (const [password, rule] of listRejected(email)) expectRejected(await set(password), path, rule);
      expect(api.paths).to.deep.equal([toRange(BREACHED)]);
      const { status, text } = await set(GOOD);
      expect(status, text).to.be.within(201, 204);
      await service.as(kind).openDevice({ email, password: GOOD });
    });

  for (const [name, kind, begin] of [
    ['a password change', CUSTOMER, change],
    ['a reset by code', CUSTOMER, reset],
  ] as const)
    it(`rejects the current password at ${name}, which uses nothing up`, async () => {
      const { email, path, set } = await begin();
      for (const _ of range(6)) expectRejected(await set(PASSWORD), path, 'same-password');
      expect((await set(GOOD)).status).to.equal(204);
      await service.as(kind).openDevice({ email, password: GOOD });
    });

  it('names the current password only after it, or the code, proved to be right', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const change = { currentPassword: WRONG_PASSWORD, newPassword: PASSWORD };
    expectWrongPassword(await client().resetPasswordMe({ ...device, body: change }));
    const { email } = account;
    const code = getOtherCode(await client().requestResetCode(email));
    const reset = { email, code, newPassword: PASSWORD };
    expectError(await client().resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
  });

  it('is checked before the current password', async () => {
    const { device } = await client().createAccountAndDevice();
    const change = { currentPassword: WRONG_PASSWORD, newPassword: 'password' };
    expectRejected(
      await client().resetPasswordMe({ ...device, body: change }),
      '/body/newPassword',
      'common-password',
    );
  });

  it('is checked after the code, also for an unknown e-mail', async () => {
    const { email } = await client().createAccount();
    const code = getOtherCode(await service.as('customer').requestResetCode(email));
    api.paths.length = 0;
    for (const address of [email, uniqueEmail()])
      for (const newPassword of ['password', BREACHED])
        expectError(
          await client().resetPasswordEmailCode({ body: { email: address, code, newPassword } }),
          400,
          'CODE_INVALID',
        );
    expect(api.paths).to.deep.equal([]);
  });

  it('is checked before the lookup of the e-mail', async () => {
    const { email } = await client().createAccount();
    const response = await client().signUp({ body: { email, password: 'password' } });
    expectRejected(response, '/body/password', 'common-password');
  });

  it('does not apply to sign-ins with an existing password', async () => {
    const { userId, email } = await client().createAccount();
    const text = 'update users set password_hash = $2 where id = $1';
    await service.records.query(text, [userId, hashSync('password', 4)]);
    api.paths.length = 0;
    await client().openDevice({ email, password: 'password' }, uniqueFingerprint());
    expect(api.paths).to.deep.equal([]);
  });

  it('is the built-in list alone while the API of breached passwords is down', async () => {
    api.paths.length = 0;
    api.isDown = true;
    expect((await client().signUp({ body: { email: uniqueEmail(), password: BREACHED } })).status).to.equal(
      201,
    );
    expect((await client().signUp({ body: { email: uniqueEmail(), password: 'password' } })).status).to.equal(
      400,
    );
    expect((await client().signUp({ body: { email: uniqueEmail(), password: GOOD } })).status).to.equal(201);
    // The second and third sign-up did not call the API.
    expect(api.paths.length).to.equal(1);
  });
});

for (const [setting, status] of [
  ['off', 201],
  ['', 400],
] as const)
  describe(`password policy with PASSWORD_BLOCKLIST=${setting}`, () => {
    const service = useAuthService({ PASSWORD_BLOCKLIST: setting });

    it(`returns ${status} for a common password, and rejects the e-mail`, async () => {
      const client = service().as('customer');
      expect((await client.signUp({ body: { email: uniqueEmail(), password: 'password' } })).status).to.equal(
        status,
      );
      const email = uniqueEmail();
      const response = await client.signUp({ body: { email, password: email } });
      expectError(response, 400, 'VALIDATION_FAILED', '/body/password');
    });
  });

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { ADMINISTRATOR, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAccountOfKind } from '../auth-service.ts';
import { getOtherCode, type RunningCodeService, startCodeService } from '../code-service.ts';

const BREACHED = 'Tr0ub4dor&3';
const GOOD = 'A better horse 2';

const hash = (password: string): string => createHash('sha1').update(password).digest('hex').toUpperCase();

/** Lists one password among padding, and records the requests. */
const startRangeApi = async () => {
  const api = { isDown: false, paths: [] as string[] };
  const server = createServer((req, res) => {
    api.paths.push(req.url ?? '');
    if (api.isDown) return res.writeHead(503).end();
    const isAsked = req.url === `/range/${hash(BREACHED).slice(0, 5)}`;
    return res.end(`${'0'.repeat(35)}:0\r\n${isAsked ? `${hash(BREACHED).slice(5)}:42\r\n` : ''}`);
  });
  const { port, close } = await listenLocally(server);
  return Object.assign(api, { url: `http://127.0.0.1:${port}/range`, close });
};

describe('breached passwords', () => {
  let api: Awaited<ReturnType<typeof startRangeApi>>;
  let service: RunningCodeService;

  before('start the range API and auth-service', async () => {
    api = await startRangeApi();
    service = await startCodeService({ BREACHED_PASSWORDS_URL: `${api.url}/`, PASSWORD_BLOCKLIST: 'on' });
  });
  after('stop them', async () => {
    await service?.stop();
    await api?.close();
  });
  beforeEach('forget the requests', () => {
    api.paths.length = 0;
  });

  const expectBreached = (response: HttpResponse, path: string): void => {
    expectError(response, 400, 'VALIDATION_FAILED', path);
    expect(response.body.details).to.deep.equal([
      { path, message: 'is known from a data breach', rule: 'breached-password' },
    ]);
  };

  it('return 400 at a sign-up, which creates no account', async () => {
    const client = service.client(CUSTOMER);
    const email = uniqueEmail();
    expectBreached(await client.signUp({ email, password: BREACHED }), '/body/password');
    expect((await client.signUp({ email, password: GOOD })).status).to.equal(201);
    expect(api.paths).to.deep.equal(
      [BREACHED, GOOD].map((password) => `/range/${hash(password).slice(0, 5)}`),
    );
  });

  it('return 400 at the registration of an administrator', async () => {
    const account = await createAccountOfKind(service, ADMINISTRATOR);
    const { accessToken } = await service.client(ADMINISTRATOR).openDevice(account);
    const response = await send(service.url, 'POST', `${ADMINISTRATOR.path}/register`, {
      headers: { Authorization: `Bearer ${accessToken}` },
      body: { email: uniqueEmail(), password: BREACHED },
    });
    expectBreached(response, '/body/password');
  });

  for (const kind of ALL_KINDS)
    it(`return 400 at a password change of ${kind.plural}, and at a reset with the right code`, async () => {
      const client = createAuthClient(service.url, kind);
      const account = await createAccountOfKind(service, kind);
      const device = await client.openDevice(account);
      const change = { currentPassword: account.password, newPassword: BREACHED };
      expectBreached(await client.changePassword(device, change), '/body/newPassword');

      const { email } = account;
      await client.sendResetCode({ email });
      const code = await service.codeFor(email);
      api.paths.length = 0;
      for (const address of [email, uniqueEmail()]) {
        const guess = { email: address, code: getOtherCode(code), newPassword: BREACHED };
        expectError(await client.resetPassword(guess), 400, 'CODE_INVALID');
      }
      expect(api.paths).to.deep.equal([]);
      expectBreached(await client.resetPassword({ email, code, newPassword: BREACHED }), '/body/newPassword');
      expect((await client.resetPassword({ email, code, newPassword: GOOD })).status).to.equal(204);
    });

  it('cause no lookup when the built-in list rejects the password, nor at a sign-in', async () => {
    const client = service.client(CUSTOMER);
    const account = await client.createAccount();
    api.paths.length = 0;
    await client.openDevice(account);
    const response = await client.signUp({ email: uniqueEmail(), password: 'password' });
    expect(response.body.details).to.deep.equal([
      { path: '/body/password', message: 'is one of the most common passwords', rule: 'common-password' },
    ]);
    expect(api.paths).to.deep.equal([]);
  });

  it('pass while the API is down, when only the built-in list decides', async () => {
    const client = service.client(CUSTOMER);
    api.isDown = true;
    expect((await client.signUp({ email: uniqueEmail(), password: BREACHED })).status).to.equal(201);
    expect((await client.signUp({ email: uniqueEmail(), password: 'password' })).status).to.equal(400);
    expect((await client.signUp({ email: uniqueEmail(), password: PASSWORD })).status).to.equal(201);
    // The second and third sign-up did not wait for it.
    expect(api.paths.length).to.equal(1);
  });
});

import {
  ACCOUNT_KINDS,
  ADMINISTRATOR,
  CUSTOMER,
  createAuthClient,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { hashSync } from 'bcryptjs';
import { expect } from 'chai';
import {
  ALL_KINDS,
  createAccountOfKind,
  openAccount,
  type RunningAuthService,
  useAuthService,
} from '../auth-service.ts';
import { getOtherCode, useCodeService } from '../code-service.ts';

const NEW_PASSWORD = 'A better horse 2';
const COMMON = ['password', 'PassWord', 'PASSWORD1', '12345678', 'qwertyuiop', 'football', '1QAZ2wsx'];
const GOOD = [
  'correct horse battery staple',
  'passwordpasswordpassword',
  ' password ',
  'pаssword',
  'zr8#Kw1!',
];

const register = (service: RunningAuthService, body: object): Promise<HttpResponse> =>
  send(service.url, 'POST', `${ADMINISTRATOR.path}/register`, { body });

const removeAdministrators = ({ databaseUrl }: Pick<RunningAuthService, 'databaseUrl'>) =>
  queryDatabase(
    databaseUrl,
    "delete from users where id in (select user_id from user_roles where role = 'ADMIN')",
  );

/** Passwords that can be guessed from the e-mail. */
const ownEmails = (email: string): string[] => [
  email,
  email.toUpperCase(),
  email.split('@')[0] ?? '',
  `${email[0]?.toUpperCase()}${email.slice(1, email.indexOf('@'))}`,
];

describe('password policy', () => {
  const service = useCodeService({ PASSWORD_BLOCKLIST: 'on' });
  const expectRejectedField = (response: HttpResponse, path: string, rule: string): void => {
    expectError(response, 400, 'VALIDATION_FAILED', path);
    expect(response.body.details).to.have.lengthOf(1).and.to.have.nested.property('0.rule', rule);
  };
  const isCommon = (response: HttpResponse, path: string) =>
    expectRejectedField(response, path, 'common-password');
  const isEmail = (response: HttpResponse, path: string) =>
    expectRejectedField(response, path, 'password-is-email');

  for (const kind of ACCOUNT_KINDS)
    describe(`at the sign-up of ${kind.plural}`, () => {
      const client = () => service().client(kind);

      it('rejects common passwords in any letter case and creates no account', async () => {
        for (const password of COMMON) {
          const email = uniqueEmail();
          isCommon(await client().signUp({ email, password }), '/body/password');
          expect((await client().signUp({ email, password: NEW_PASSWORD })).status).to.equal(201);
        }
      });

      it('rejects the e-mail and its local part', async () => {
        const email = uniqueEmail();
        for (const password of ownEmails(email))
          isEmail(await client().signUp({ email, password }), '/body/password');
        for (const password of ownEmails(email))
          isEmail(await client().signUp({ email: email.toUpperCase(), password }), '/body/password');
      });

      it('checks the password before it looks the e-mail up', async () => {
        const { email } = await client().createAccount();
        isCommon(await client().signUp({ email, password: 'password' }), '/body/password');
      });

      it('accepts other passwords', async () => {
        for (const password of GOOD) await client().openDevice(await client().createAccount({ password }));
      });
    });

  describe('at the registration of an administrator', () => {
    it('rejects common passwords, for the first administrator too', async () => {
      await removeAdministrators(service());
      const email = uniqueEmail();
      for (const password of COMMON)
        isCommon(await register(service(), { email, password }), '/body/password');
      for (const password of ownEmails(email))
        isEmail(await register(service(), { email, password }), '/body/password');
      expect((await register(service(), { email, password: NEW_PASSWORD })).status).to.equal(201);
      const device = await service().client(ADMINISTRATOR).openDevice({ email, password: NEW_PASSWORD });
      const response = await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
        headers: { Authorization: `Bearer ${device.accessToken}` },
        body: { email: uniqueEmail(), password: 'password' },
      });
      isCommon(response, '/body/password');
    });
  });

  for (const kind of ALL_KINDS)
    describe(`at a password change of ${kind.plural}`, () => {
      const client = () => createAuthClient(service().url, kind);

      it('rejects common passwords before it compares the current one', async () => {
        const { account, device } = await openAccount(service(), kind);
        for (const currentPassword of [PASSWORD, WRONG_PASSWORD]) {
          for (const newPassword of COMMON)
            isCommon(
              await client().changePassword(device, { currentPassword, newPassword }),
              '/body/newPassword',
            );
          for (const newPassword of ownEmails(account.email))
            isEmail(
              await client().changePassword(device, { currentPassword, newPassword }),
              '/body/newPassword',
            );
        }
        await client().openDevice(account);
        expect(await service().outboxFor(account.email)).to.deep.equal([]);
      });
    });

  for (const kind of ALL_KINDS)
    describe(`at a reset by code of ${kind.plural}`, () => {
      const client = () => createAuthClient(service().url, kind);

      it('rejects common passwords without consuming the code', async () => {
        const { email } = await createAccountOfKind(service(), kind);
        const code = await service().requestResetCode(kind, email);
        const reset = (newPassword: string) => client().resetPassword({ email, code, newPassword });
        for (const newPassword of COMMON.slice(0, 2)) isCommon(await reset(newPassword), '/body/newPassword');
        for (const newPassword of ownEmails(email).slice(1, 3))
          isEmail(await reset(newPassword), '/body/newPassword');
        expect((await reset(NEW_PASSWORD)).status).to.equal(204);
        await client().openDevice({ email, password: NEW_PASSWORD });
      });

      it('judges the code first, also for an unknown e-mail', async () => {
        const { email } = await createAccountOfKind(service(), kind);
        expect((await client().sendResetCode({ email })).status).to.equal(200);
        const code = getOtherCode(await service().codeFor(email));
        for (const address of [email, uniqueEmail()]) {
          const response = await client().resetPassword({ email: address, code, newPassword: 'password' });
          expectError(response, 400, 'CODE_INVALID');
        }
      });
    });

  it('does not affect sign-ins with an existing password', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    await queryDatabase(service().databaseUrl, 'update users set password_hash = $2 where id = $1', [
      account.userId,
      hashSync('password', 4),
    ]);
    await service().client(CUSTOMER).openDevice({ email: account.email, password: 'password' });
  });
});

describe('password policy with PASSWORD_BLOCKLIST=off', () => {
  const service = useAuthService({ PASSWORD_BLOCKLIST: 'off' });

  it('accepts common passwords and rejects the e-mail', async () => {
    const client = service().client(CUSTOMER);
    for (const password of COMMON) await client.openDevice(await client.createAccount({ password }));
    const email = uniqueEmail();
    expectError(await client.signUp({ email, password: email }), 400, 'VALIDATION_FAILED', '/body/password');
  });
});

describe('password policy with the default PASSWORD_BLOCKLIST', () => {
  const service = useAuthService({ PASSWORD_BLOCKLIST: '' });

  it('rejects common passwords', async () => {
    const response = await service().client(CUSTOMER).signUp({ email: uniqueEmail(), password: 'password' });
    expectError(response, 400, 'VALIDATION_FAILED', '/body/password');
  });
});

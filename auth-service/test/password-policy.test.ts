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
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { type RunningAuthService, useAuthService } from './auth-service.ts';
import { useCodeService } from './code-service.ts';

const NEW_PASSWORD = 'A better horse 2';
const COMMON = ['password', 'PassWord', 'PASSWORD1', '12345678', 'qwertyuiop', 'football', '1QAZ2wsx'];
/** Long enough, and not what everybody takes. */
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

/** What the owner of the address could take for a password, and anybody who knows it could guess. */
const ownEmails = (email: string): string[] => [
  email,
  email.toUpperCase(),
  email.split('@')[0] ?? '',
  `${email[0]?.toUpperCase()}${email.slice(1, email.indexOf('@'))}`,
];

describe('A password that is easy to guess', () => {
  const service = useCodeService({ PASSWORD_BLOCKLIST: 'on' });
  const refusedAt = (answer: HttpResponse, path: string, message: string): void => {
    expectError(answer, 400, 'VALIDATION_FAILED', path);
    expect(answer.body.details).to.deep.equal([{ path, message }]);
  };
  const isCommon = (answer: HttpResponse, path: string) =>
    refusedAt(answer, path, 'is one of the most common passwords');
  const isEmail = (answer: HttpResponse, path: string) => refusedAt(answer, path, 'must not be the e-mail');

  for (const kind of ACCOUNT_KINDS)
    describe(`at the sign-up of ${kind.plural}`, () => {
      const client = () => service().client(kind);

      it('is refused when it is one of the most common ones, in any letter case, and no account is made', async () => {
        for (const password of COMMON) {
          const email = uniqueEmail();
          isCommon(await client().signUp({ email, password }), '/body/password');
          expect((await client().signUp({ email, password: NEW_PASSWORD })).status).to.equal(201);
        }
      });

      it('is refused when it is the e-mail or what stands before the @', async () => {
        const email = uniqueEmail();
        for (const password of ownEmails(email))
          isEmail(await client().signUp({ email, password }), '/body/password');
        for (const password of ownEmails(email))
          isEmail(await client().signUp({ email: email.toUpperCase(), password }), '/body/password');
      });

      it('is refused before the e-mail is looked up, so that it tells nothing', async () => {
        const { email } = await client().createAccount();
        isCommon(await client().signUp({ email, password: 'password' }), '/body/password');
      });

      it('is told from a good one', async () => {
        for (const password of GOOD) await client().openDevice(await client().createAccount({ password }));
      });
    });

  describe('at the registration of an administrator', () => {
    it('is refused, by an ADMIN and for the first one alike', async () => {
      await removeAdministrators(service());
      const email = uniqueEmail();
      for (const password of COMMON)
        isCommon(await register(service(), { email, password }), '/body/password');
      for (const password of ownEmails(email))
        isEmail(await register(service(), { email, password }), '/body/password');
      expect((await register(service(), { email, password: NEW_PASSWORD })).status).to.equal(201);
      const device = await service().client(ADMINISTRATOR).openDevice({ email, password: NEW_PASSWORD });
      const answer = await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
        headers: { Authorization: `Bearer ${device.accessToken}` },
        body: { email: uniqueEmail(), password: 'password' },
      });
      isCommon(answer, '/body/password');
    });
  });

  for (const kind of ALL_KINDS)
    describe(`at a password change of ${kind.plural}`, () => {
      const client = () => createAuthClient(service().url, kind);

      it('is refused whatever the current password, and nothing changes', async () => {
        const account = await createAnyAccount(service(), kind);
        const device = await client().openDevice(account);
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

      it('is refused without costing the code a try', async () => {
        const { email } = await createAnyAccount(service(), kind);
        expect((await client().sendResetCode({ email })).status).to.equal(200);
        const code = await service().codeFor(email);
        for (const newPassword of COMMON)
          isCommon(await client().resetPassword({ email, code, newPassword }), '/body/newPassword');
        for (const newPassword of ownEmails(email))
          isEmail(await client().resetPassword({ email, code, newPassword }), '/body/newPassword');
        expect((await client().resetPassword({ email, code, newPassword: NEW_PASSWORD })).status).to.equal(
          204,
        );
        await client().openDevice({ email, password: NEW_PASSWORD });
      });

      it('is refused for an unknown e-mail in the same words', async () => {
        const answer = await client().resetPassword({
          email: uniqueEmail(),
          code: '123456',
          newPassword: 'password',
        });
        isCommon(answer, '/body/newPassword');
      });
    });

  it('still signs in whoever has had it for long', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    await queryDatabase(service().databaseUrl, 'update users set password_hash = $2 where id = $1', [
      account.userId,
      hashSync('password', 4),
    ]);
    await service().client(CUSTOMER).openDevice({ email: account.email, password: 'password' });
  });
});

describe('Without the list of common passwords', () => {
  const service = useAuthService({ PASSWORD_BLOCKLIST: 'off' });

  it('common ones are accepted, and the own e-mail is not', async () => {
    const client = service().client(CUSTOMER);
    for (const password of COMMON) await client.openDevice(await client.createAccount({ password }));
    const email = uniqueEmail();
    expectError(await client.signUp({ email, password: email }), 400, 'VALIDATION_FAILED', '/body/password');
  });
});

describe('Where nothing is said of the list', () => {
  const service = useAuthService({ PASSWORD_BLOCKLIST: '' });

  it('it is used', async () => {
    const answer = await service().client(CUSTOMER).signUp({ email: uniqueEmail(), password: 'password' });
    expectError(answer, 400, 'VALIDATION_FAILED', '/body/password');
  });
});

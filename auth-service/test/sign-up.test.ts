import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Sign-up', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);

      it('answers with the new user and the profile', async () => {
        const email = uniqueEmail();
        const names = { firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20 7946 0958' };
        const { status, body } = await client().signUp({ email, password: PASSWORD, ...names });

        expect(status).to.equal(201);
        expect(body).to.have.all.keys('user', 'profile');
        const { id, createdAt, ...user } = body.user;
        expect(id).to.match(UUID);
        expect(createdAt).to.match(UTC);
        const profileId = body.profile.id;
        expect(user).to.deep.equal({
          email,
          isEmailVerified: false,
          roles: [kind.role],
          [kind.profileLink]: profileId,
        });
        const { createdAt: since, updatedAt, ...profile } = body.profile;
        expect(profileId).to.match(UUID);
        expect([since, updatedAt]).to.satisfy((times: string[]) => times.every((time) => UTC.test(time)));
        expect(profile).to.deep.equal({ id: profileId, userId: id, ...names });
      });

      it('shows profile fields that were not given as null', async () => {
        const { body } = await client().signUp({ email: uniqueEmail(), password: PASSWORD });
        expect(body.profile).to.include({ firstName: null, lastName: null, phone: null });
      });

      it('signs nobody in: neither a token nor a cookie', async () => {
        const answer = await client().signUp({ email: uniqueEmail(), password: PASSWORD });
        expect(answer.body).not.to.have.any.keys('token', 'session');
        expect(parseSetCookies(answer)).to.deep.equal([]);
      });

      it('lets the new user sign in and see the profile', async () => {
        const account = await client().createAccount({ firstName: 'Grace' });
        const { body } = await client().me(await client().openDevice(account));
        expect(body.user).to.include({ id: account.userId, email: account.email });
        expect(body.profile).to.include({ id: account.profileId, firstName: 'Grace', lastName: null });
      });

      it('stores an e-mail in lower case and signs it in in any', async () => {
        const email = uniqueEmail();
        const { body } = await client().signUp({ email: email.toUpperCase(), password: PASSWORD });
        expect(body.user.email).to.equal(email);
        for (const typed of [email, email.toUpperCase(), email.replace('user', 'User')])
          await client().openDevice({ email: typed, password: PASSWORD });
      });

      it('refuses an e-mail that has an account, in whatever letter case', async () => {
        const { email } = await client().createAccount();
        for (const again of [email, email.toUpperCase()])
          expectError(await client().signUp({ email: again, password: PASSWORD }), 409, 'EMAIL_TAKEN');
      });

      it('keeps the password of the account that was there first', async () => {
        const account = await client().createAccount();
        await client().signUp({ email: account.email, password: 'Something else 3' });
        await client().openDevice(account);
      });

      it('refuses an e-mail of the other kind, which cannot be signed in to as this one then', async () => {
        const other = otherKind(kind);
        const account = await service().client(other).createAccount();
        expectError(await client().signUp({ ...account }), 409, 'EMAIL_TAKEN');
        expectError(await client().signIn({ ...account }, 'device'), 401, 'INVALID_CREDENTIALS');
        await service().client(other).openDevice(account);
      });

      it('lets one of ten at once have an e-mail, whatever its letter case', async () => {
        const email = uniqueEmail();
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            client().signUp({ email: n % 2 ? email : email.toUpperCase(), password: PASSWORD }),
          ),
        );
        const created = answers.filter(({ status }) => status === 201);
        expect(created).to.have.length(1);
        for (const answer of answers) if (!created.includes(answer)) expectError(answer, 409, 'EMAIL_TAKEN');
      });

      it('drops undeclared fields, so that nobody makes himself an administrator', async () => {
        const email = uniqueEmail();
        const hidden =
          '"roles":["ADMIN"],"platformRole":"ADMIN","isEmailVerified":true,"isBlocked":true,' +
          '"id":"11111111-1111-4111-8111-111111111111","__proto__":{"roles":["ADMIN"]},"constructor":{"x":1}';
        const { status, body } = await service()
          .client(kind)
          .signUp({ email, password: PASSWORD, ...JSON.parse(`{${hidden}}`) });
        expect(status).to.equal(201);
        const device = await client().openDevice({ email, password: PASSWORD });
        const { user } = (await client().me(device)).body;
        expect(user).to.deep.equal(body.user);
        expect(user.roles).to.deep.equal([kind.role]);
        expect(user.isEmailVerified).to.equal(false);
        expect(user.id).not.to.match(/^1{8}/);
      });
    });
});

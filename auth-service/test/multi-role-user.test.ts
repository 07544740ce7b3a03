import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { addKind, useAuthService } from './auth-service.ts';

describe('user of two kinds', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`who was first one of the ${kind.plural}`, () => {
      const [own, other] = [() => service().client(kind), () => service().client(otherKind(kind))];
      const createUser = async () => {
        const account = await own().createAccount();
        await addKind(service().databaseUrl, account.userId, otherKind(kind).kind);
        return account;
      };

      it('has one session per device: a sign-in as the second kind revokes the tokens of the first', async () => {
        const account = await createUser();
        const first = await own().openDevice(account);
        const second = await other().openDevice(account, first.fingerprint);

        expect(second.sessionId).to.equal(first.sessionId);
        expectError(await own().me(first), 401, 'TOKEN_INVALID');
        expectError(await own().refresh(first), 401, 'TOKEN_INVALID');
        expect((await other().me(second)).status).to.equal(200);
      });

      it('can be signed in as both kinds on two devices', async () => {
        const account = await createUser();
        const first = await own().openDevice(account);
        const second = await other().openDevice(account);
        expect((await own().me(first)).status).to.equal(200);
        expect((await other().me(second)).status).to.equal(200);
      });

      it('returns the kind of the token, with the profile and the profile id of that kind only', async () => {
        const account = await createUser();
        const { body } = await other().universalMe(await other().openDevice(account));
        expect(body.kind).to.equal(otherKind(kind).kind);
        expect([...body.roles].sort()).to.deep.equal(['CUSTOMER', 'EMPLOYEE']);
        expect(body.user[otherKind(kind).profileLink]).to.equal(body.profile.id);
        expect(body.user).not.to.have.property(kind.profileLink);
        expect(body.profile.id).not.to.equal(account.profileId);
      });

      it('rejects the token of one kind for the other', async () => {
        const device = await own().openDevice(await createUser());
        expectError(await other().me(device), 401, 'TOKEN_INVALID');
        expectError(await other().refresh(device), 401, 'TOKEN_INVALID');
      });
    });
});

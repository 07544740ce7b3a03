import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

/** No route makes one: sign-up refuses an e-mail of the other kind. An operator may. */
const addKind = async (databaseUrl: string, userId: string, kind: string): Promise<void> => {
  await queryDatabase(databaseUrl, `insert into ${kind}_profiles (user_id) values ($1)`, [userId]);
  await queryDatabase(databaseUrl, 'insert into user_roles (user_id, role) values ($1, upper($2))', [
    userId,
    kind,
  ]);
};

describe('A user of two kinds', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`who was among the ${kind.plural} first`, () => {
      const [own, other] = [() => service().client(kind), () => service().client(otherKind(kind))];
      const createUser = async () => {
        const account = await own().createAccount();
        await addKind(service().databaseUrl, account.userId, otherKind(kind).kind);
        return account;
      };

      it('has one session per device: signing in as the second kind ends the tokens of the first there', async () => {
        const account = await createUser();
        const first = await own().openDevice(account);
        const second = await other().openDevice(account, first.fingerprint);

        expect(second.sessionId).to.equal(first.sessionId);
        expectError(await own().me(first), 401, 'TOKEN_INVALID');
        expectError(await own().refresh(first), 401, 'TOKEN_INVALID');
        expect((await other().me(second)).status).to.equal(200);
      });

      it('can be both on two devices', async () => {
        const account = await createUser();
        const first = await own().openDevice(account);
        const second = await other().openDevice(account);
        expect((await own().me(first)).status).to.equal(200);
        expect((await other().me(second)).status).to.equal(200);
      });

      it('is seen as the kind of the token, with the profile and the link of that kind alone', async () => {
        const account = await createUser();
        const { body } = await other().universalMe(await other().openDevice(account));
        expect(body.kind).to.equal(otherKind(kind).kind);
        expect([...body.roles].sort()).to.deep.equal(['CUSTOMER', 'EMPLOYEE']);
        expect(body.user[otherKind(kind).profileLink]).to.equal(body.profile.id);
        expect(body.user).not.to.have.property(kind.profileLink);
        expect(body.profile.id).not.to.equal(account.profileId);
      });

      it('still cannot use the token of one kind for the other', async () => {
        const device = await own().openDevice(await createUser());
        expectError(await other().me(device), 401, 'TOKEN_INVALID');
        expectError(await other().refresh(device), 401, 'TOKEN_INVALID');
      });
    });
});

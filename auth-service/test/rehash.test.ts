import type { AccountKind, TestAccount } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { compareSync, getRounds, hashSync } from 'bcryptjs';
import { expect } from 'chai';
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { useAuthService } from './auth-service.ts';

describe('When the cost of password hashes was changed', () => {
  const service = useAuthService({ BCRYPT_COST: '5' });

  const hashOf = async ({ userId }: TestAccount): Promise<string> => {
    const [user] = await queryDatabase<{ hash: string }>(
      service().databaseUrl,
      'select password_hash as hash from users where id = $1',
      [userId],
    );
    return user?.hash ?? '';
  };
  const setHash = ({ userId }: TestAccount, hash: string) =>
    queryDatabase(service().databaseUrl, 'update users set password_hash = $2 where id = $1', [userId, hash]);
  /** An account from before. */
  const oldAccount = async (kind: AccountKind, cost = 4): Promise<TestAccount> => {
    const account = await createAnyAccount(service(), kind);
    await setHash(account, hashSync(PASSWORD, cost));
    return account;
  };
  const expectCost = async (account: TestAccount, cost: number) => {
    const hash = await hashOf(account);
    expect(getRounds(hash)).to.equal(cost);
    expect(compareSync(PASSWORD, hash)).to.equal(true);
  };

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);

      it('Then a sign-in replaces the hash, and the password signs in as before', async () => {
        const account = await oldAccount(kind);
        const first = await client().openDevice(account);
        await expectCost(account, 5);
        const second = await client().openDevice(account);
        for (const device of [first, second]) expect((await client().me(device)).status).to.equal(200);
        expectError(
          await client().signIn({ email: account.email, password: WRONG_PASSWORD }, 'device'),
          401,
          'INVALID_CREDENTIALS',
        );
      });

      it('Then a sign-in that fails replaces nothing', async () => {
        const account = await oldAccount(kind);
        const before = await hashOf(account);
        expectError(
          await client().signIn({ email: account.email, password: WRONG_PASSWORD }, 'device'),
          401,
          'INVALID_CREDENTIALS',
        );
        expect(await hashOf(account)).to.equal(before);
      });

      it('Then five sign-ins at once all succeed, and leave one good hash', async () => {
        for (let round = 0; round < 5; round += 1) {
          const account = await oldAccount(kind);
          const devices = await Promise.all(
            Array.from({ length: 5 }, (_, index) => client().openDevice(account, `device-${index}`)),
          );
          for (const device of devices) expect((await client().me(device)).status).to.equal(200);
          await expectCost(account, 5);
        }
      });

      it('Then a password that was changed while it was hashed again stays changed', async () => {
        const account = await oldAccount(kind);
        const changed = hashSync('A better horse 2', 5);
        const lock = await holdLock(
          service().databaseUrl,
          'update users set password_hash = $2 where id = $1',
          [account.userId, changed],
        );
        const signIn = client().signIn(account, 'device');
        // The old password has proved right, and its new hash waits to be stored.
        await lock.untilWaiting(1);
        await lock.commit();
        expectError(await signIn, 401, 'INVALID_CREDENTIALS');
        expect(await hashOf(account)).to.equal(changed);
      });

      it('Then a hash of that cost stays as it is', async () => {
        const account = await oldAccount(kind, 5);
        const before = await hashOf(account);
        await client().openDevice(account);
        expect(await hashOf(account)).to.equal(before);
      });

      it('Then a hash of a higher cost is replaced: a lowered cost holds for every account', async () => {
        const account = await oldAccount(kind, 6);
        await client().openDevice(account);
        await expectCost(account, 5);
      });

      it('Then no session of the user is touched, and the profile neither', async () => {
        const account = await oldAccount(kind, 5);
        const device = await client().openDevice(account);
        const before = (await client().me(device)).body;
        await setHash(account, hashSync(PASSWORD, 4));
        await client().openDevice(account);
        expect((await client().me(device)).body).to.deep.equal(before);
        await client().refreshed(device);
      });
    });
});

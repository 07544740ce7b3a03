import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { TestAccount } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { compareSync, getRounds, hashSync } from 'bcryptjs';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('password rehash after a change of the cost', () => {
  const service = useAuthService({ BCRYPT_COST: '5' });
  const client = () => service().as('customer');

  const hashOf = async ({ userId }: TestAccount): Promise<string> => {
    const [user] = await service().records.query<{ hash: string }>(
      'select password_hash as hash from users where id = $1',
      [userId],
    );
    return user?.hash ?? '';
  };
  const setHash = ({ userId }: TestAccount, hash: string) =>
    service().records.query('update users set password_hash = $2 where id = $1', [userId, hash]);
  /** Creates an account whose hash has the previous cost. */
  const oldAccount = async (cost = 4): Promise<TestAccount> => {
    const account = await client().createAccount();
    await setHash(account, hashSync(PASSWORD, cost));
    return account;
  };
  const expectCost = async (account: TestAccount, cost: number) => {
    const hash = await hashOf(account);
    expect(getRounds(hash)).to.equal(cost);
    expect(compareSync(PASSWORD, hash)).to.equal(true);
  };

  it('replaces the hash at a sign-in, and keeps the password valid', async () => {
    const account = await oldAccount();
    const first = await client().openDevice(account);
    await expectCost(account, 5);
    const second = await client().openDevice(account);
    for (const device of [first, second]) expect((await client().me(device)).status).to.equal(200);
    await client().expectNoSignIn({ email: account.email, password: WRONG_PASSWORD });
  });

  it('accepts five concurrent sign-ins and leaves one valid hash', async () => {
    for (let round = 0; round < 5; round += 1) {
      const account = await oldAccount();
      const devices = await Promise.all(
        Array.from({ length: 5 }, (_, index) => client().openDevice(account, `device-${index}`)),
      );
      for (const device of devices) expect((await client().me(device)).status).to.equal(200);
      await expectCost(account, 5);
    }
  });

  it('does not overwrite a password that was changed during the rehash', async () => {
    const account = await oldAccount();
    const changed = hashSync('A better horse 2', 5);
    const lock = await holdLock(service().databaseUrl, 'update users set password_hash = $2 where id = $1', [
      account.userId,
      changed,
    ]);
    const signIn = client().signIn({ fingerprint: 'device', body: account });
    // The old password has been compared, and the update with the new hash waits for the lock.
    await lock.commitWhenWaiting(1);
    expectError(await signIn, 401, 'INVALID_CREDENTIALS');
    expect(await hashOf(account)).to.equal(changed);
  });

  it('keeps a hash of the current cost', async () => {
    const account = await oldAccount(5);
    const before = await hashOf(account);
    await client().openDevice(account);
    expect(await hashOf(account)).to.equal(before);
  });
});

import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { TestAccount } from '@platform/shared/testing/device';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { hashSync } from 'bcryptjs';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { attemptSignIn, expectInvalidCredentials } from '../../testing/sign-in-attempts.ts';

const OLD_COST = 4;
const COST = 6;
const HIGHEST_COST = 8;

describe('equal work of failed password comparisons', () => {
  const service = useAuthService({ BCRYPT_COST: String(COST) });
  const client = () => service().as('customer');
  const setCost = ({ userId }: TestAccount, cost: number) =>
    queryDatabase(service().databaseUrl, 'update users set password_hash = $2 where id = $1', [
      userId,
      hashSync(PASSWORD, cost),
    ]);
  const accountOf = async (cost: number): Promise<TestAccount> => {
    const account = await client().createAccount();
    await setCost(account, cost);
    return account;
  };
  // The service reads the highest cost at the first comparison.
  before('store a hash of a higher cost', () => accountOf(HIGHEST_COST));

  /** The bcrypt rounds that the service computes during `work`. */
  const roundsOf = async (work: () => PromiseLike<unknown>): Promise<number> => {
    const before = await service().metric('password_hash_rounds_total');
    await work();
    return (await service().metric('password_hash_rounds_total')) - before;
  };
  const roundsOfFailure = (email: string, kind = CUSTOMER, password = WRONG_PASSWORD) =>
    roundsOf(async () => expectInvalidCredentials(await attemptSignIn(service(), kind, { email, password })));

  it('computes the rounds of the highest stored cost for every wrong sign-in', async () => {
    const current = await accountOf(COST);
    const setHash = async (hash: string | null): Promise<TestAccount> => {
      const account = await client().createAccount();
      const text = 'update users set password_hash = $2 where id = $1';
      await queryDatabase(service().databaseUrl, text, [account.userId, hash]);
      return account;
    };
    const rounds = {
      unknown: await roundsOfFailure(uniqueEmail()),
      oldHash: await roundsOfFailure((await accountOf(OLD_COST)).email),
      currentHash: await roundsOfFailure(current.email),
      higherHash: await roundsOfFailure((await accountOf(HIGHEST_COST)).email),
      otherKind: await roundsOfFailure(current.email, EMPLOYEE, PASSWORD),
      longerPassword: await roundsOfFailure(current.email, CUSTOMER, 'x'.repeat(200)),
      brokenHash: await roundsOfFailure((await setHash('x')).email),
      noPassword: await roundsOfFailure((await setHash(null)).email),
    };
    for (const [name, count] of Object.entries(rounds)) expect(count, name).to.equal(2 ** HIGHEST_COST);
  });

  it('computes them for a wrong current password in a password change', async () => {
    for (const cost of [OLD_COST, COST, HIGHEST_COST]) {
      const account = await accountOf(COST);
      const device = await client().openDevice(account);
      await setCost(account, cost);
      const change = { currentPassword: WRONG_PASSWORD, newPassword: 'A better horse 2' };
      const rounds = await roundsOf(async () =>
        expectError(
          await client().resetPasswordMe({ ...device, body: change }),
          400,
          'CURRENT_PASSWORD_WRONG',
        ),
      );
      expect(rounds, `cost ${cost}`).to.equal(2 ** HIGHEST_COST);
    }
  });

  it('computes only the rounds of its own hash for the correct password', async () => {
    const account = await accountOf(COST);
    expect(await roundsOf(() => client().openDevice(account))).to.equal(2 ** COST);
  });
});

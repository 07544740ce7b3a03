import { setFailures } from '@platform/auth-service/testing/sign-in-attempts';
import { PASSWORD, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { poll } from '@platform/shared/testing/poll';
import { DAY, HOUR, MINUTE, type Rule, repeat, type World } from './rule.ts';

/** Of a user within an hour. */
const RECORDED_FAILURES = 20;

/** An account with wrong and correct passwords from a network. */
const openGuessed = async ({ auth, newNetwork }: World) => {
  const client = auth.as('customer');
  const account = await client.createVerifiedAccount();
  const { email } = account;
  const network = await newNetwork();
  const attempt = (password: string, from = network) =>
    client.signIn({
      fingerprint: uniqueFingerprint(),
      body: { email, password },
      headers: from,
    });
  return {
    id: account.userId,
    fail: (from?: typeof network) => attempt(WRONG_PASSWORD, from),
    succeed: (from?: typeof network) => attempt(PASSWORD, from),
  };
};

/** A failure is recorded after its response. */
const countFailures = async ({ auth }: World, id: string): Promise<string> => {
  let count = 0;
  const hasFurther = async (): Promise<boolean> => {
    const records = await auth.records.auditOf(id);
    count = records.filter(({ action }) => action === 'SIGN_IN_FAILED').length;
    return count > RECORDED_FAILURES;
  };
  await poll(hasFurther, { timeoutSeconds: 1 });
  return `${count} records`;
};

/** All failures but the last are rows, because a hundred of them take a second. */
const pauseAfter = (failures: number, limit: number, duration: string): Rule => ({
  name: `pause of an account after ${failures} wrong passwords: ${duration}`,
  limit,
  prepare: async (world) => {
    const { id, fail, succeed } = await openGuessed(world);
    await setFailures(world.auth.databaseUrl, id, 'password', failures - 1);
    await fail(await world.newNetwork());
    return { id, ask: async () => succeed(await world.newNetwork()) };
  },
  before: '429 RATE_LIMITED',
  after: '200',
});

export const GUESS_RULES: Rule[] = [
  {
    name: 'wait of a network after ten wrong passwords: 32 seconds',
    limit: 32,
    margin: 20,
    prepare: async (world) => {
      const { id, fail, succeed } = await openGuessed(world);
      await repeat(10, async () => {
        await world.passTime(id, MINUTE);
        await fail();
      });
      return { id, ask: () => succeed() };
    },
    before: '429 RATE_LIMITED',
    after: '200',
  },
  {
    name: 'wrong passwords of a network: forgotten an hour after the wait',
    limit: HOUR + 16,
    prepare: async (world) => {
      const { id, fail, succeed } = await openGuessed(world);
      await repeat(9, async () => {
        await world.passTime(id, MINUTE);
        await fail();
      });
      const ask = async () => {
        await fail();
        return await succeed();
      };
      return { id, ask };
    },
    needsTwoPeople: true,
    before: '429 RATE_LIMITED',
    after: '200',
  },
  {
    name: 'wait of a network, at most: 15 minutes',
    limit: 15 * MINUTE,
    prepare: async (world) => {
      const { id, fail, succeed } = await openGuessed(world);
      await repeat(16, async () => {
        await world.passTime(id, 16 * MINUTE);
        await fail();
      });
      return { id, ask: () => succeed() };
    },
    before: '429 RATE_LIMITED',
    after: '200',
  },
  pauseAfter(100, HOUR, 'an hour'),
  pauseAfter(200, 2 * HOUR, 'two hours'),
  pauseAfter(600, DAY, 'a day'),
  {
    name: 'failed sign-ins in the log: twenty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { id, fail } = await openGuessed(world);
      await repeat(RECORDED_FAILURES, async () => fail(await world.newNetwork()));
      const ask = async () => {
        await fail(await world.newNetwork());
        return await countFailures(world, id);
      };
      return { id, ask };
    },
    needsTwoPeople: false,
    before: '20 records',
    after: '21 records',
  },
];

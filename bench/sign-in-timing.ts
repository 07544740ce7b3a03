import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { createRecords } from '@platform/shared/testing/records';
import { startStack } from '@platform/shared/testing/stack';
import { hashSync } from 'bcryptjs';
import { median, percentile } from './statistics.ts';

// `npm run bench:sign-in-timing`: whether the time of a failed sign-in reveals that the e-mail has an account, or the cost of
// its hash. 60 e-mails of each case, interleaved, through the gateway of a new stack.

const OLD_COST = 10;
const COST = 12;
const COUNT = 60;
const WARM_UP = 3;
/** Cost 12 takes four times as long as cost 10; the load of the machine changes a median by 10 %. */
const MAX_RATIO = 1.2;

const stack = await startStack({ BCRYPT_COST: String(COST), RATE_LIMIT_SCALE: '10000' });
const records = createRecords(stack.stack.databaseUrl);
try {
  const client = createAuthClient(stack.stack.gatewayUrl, CUSTOMER);
  const hashes = new Map([OLD_COST, COST].map((cost) => [cost, hashSync(PASSWORD, cost)]));
  const createAccount = async (cost: number): Promise<string> => {
    const { id, email } = await records.user(['CUSTOMER']);
    await records.query('update users set password_hash = $2 where id = $1', [id, hashes.get(cost)]);
    return email;
  };
  const cases = [
    { name: 'unknown e-mail', newEmail: async () => uniqueEmail(), times: [] as number[] },
    { name: `hash of cost ${OLD_COST}`, newEmail: () => createAccount(OLD_COST), times: [] as number[] },
    { name: `hash of cost ${COST}`, newEmail: () => createAccount(COST), times: [] as number[] },
  ];

  for (let round = 0; round < COUNT + WARM_UP; round += 1)
    // The order of the cases rotates; each e-mail is new, so that the sign-in throttle delays none.
    for (const { newEmail, times } of [...cases.slice(round % 3), ...cases.slice(0, round % 3)]) {
      const email = await newEmail();
      const started = performance.now();
      const { status } = await client.signIn({ email, password: WRONG_PASSWORD }, uniqueFingerprint());
      const milliseconds = performance.now() - started;
      if (status !== 401) throw new Error(`A wrong password returned ${status}`);
      if (round >= WARM_UP) times.push(milliseconds);
    }

  console.log(`Failed sign-ins at BCRYPT_COST ${COST}, ${COUNT} of each`);
  for (const { name, times } of cases)
    console.log(
      `${name.padEnd(16)} median ${median(times).toFixed(0)} ms, p5 ${percentile(times, 0.05).toFixed(0)} ms, ` +
        `p95 ${percentile(times, 0.95).toFixed(0)} ms`,
    );
  const medians = cases.map(({ times }) => median(times));
  const ratio = Math.max(...medians) / Math.min(...medians);
  console.log(`Ratio of the largest median to the smallest: ${ratio.toFixed(3)}`);
  if (ratio > MAX_RATIO) throw new Error('The times of failed sign-ins differ between accounts');
} finally {
  await records.close();
  await stack.stop();
}

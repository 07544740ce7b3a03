import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { startStack } from '@platform/shared/testing/stack';
import { bestAccuracy, median, overlapOfRanges, percentile, probabilityOfLarger } from './statistics.ts';

// `npm run bench:reset-timing`: whether the time of a reset request reveals that its e-mail has an account. 200 known and 200
// unknown e-mails, interleaved, through the gateway of a new stack.

const COUNT = 200;
const WARM_UP = 50;
/** With 200 values of each kind, the standard error of the probability is 0.03: five times that is significant. */
const MAX_BIAS = 0.15;

type TimedResponse = { known: boolean; milliseconds: number; observed: string };

const createRequester = (gatewayUrl: string) => {
  const url = `${gatewayUrl}${CUSTOMER.path}/reset-password/email/code/send`;
  return async (email: string, known: boolean): Promise<TimedResponse> => {
    const started = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    const body = await response.text();
    const milliseconds = performance.now() - started;
    const headers = [...response.headers.keys()].sort().join(' ');
    return { known, milliseconds, observed: JSON.stringify({ status: response.status, body, headers }) };
  };
};

/** Known, unknown, unknown, known, …: each kind follows the other one as often as itself. */
const interleave = async (
  send: (email: string, known: boolean) => Promise<TimedResponse>,
  knownEmails: readonly string[],
): Promise<TimedResponse[]> => {
  const responses: TimedResponse[] = [];
  for (const [index, email] of knownEmails.entries()) {
    const pair = [() => send(email, true), () => send(uniqueEmail(), false)];
    if (index % 2 === 1) pair.reverse();
    for (const request of pair) responses.push(await request());
  }
  return responses;
};

const describeTimes = (name: string, times: readonly number[]): string => {
  const show = (share: number) => `${percentile(times, share).toFixed(2)} ms`;
  return `${name}: median ${show(0.5)}, p5 ${show(0.05)}, p95 ${show(0.95)}, ${times.length} requests`;
};

const stack = await startStack();
try {
  const { gatewayUrl } = stack.stack;
  const client = createAuthClient(gatewayUrl, CUSTOMER);
  const emails: string[] = [];
  for (let index = 0; index < COUNT + WARM_UP; index += 1) emails.push((await client.createAccount()).email);
  const send = createRequester(gatewayUrl);
  await interleave(send, emails.slice(COUNT));
  const responses = await interleave(send, emails.slice(0, COUNT));

  const getTimes = (known: boolean) =>
    responses.filter((response) => response.known === known).map(({ milliseconds }) => milliseconds);
  const [known, unknown] = [getTimes(true), getTimes(false)];
  const observed = [...new Set(responses.map((response) => response.observed))];
  const larger = probabilityOfLarger(known, unknown);
  console.log(describeTimes('Known e-mails  ', known));
  console.log(describeTimes('Unknown e-mails', unknown));
  console.log(`Difference of the medians: ${(median(known) - median(unknown)).toFixed(2)} ms`);
  console.log(`Overlap of the ranges p5 to p95: ${(overlapOfRanges(known, unknown) * 100).toFixed(0)} %`);
  console.log(
    `A known e-mail takes longer than an unknown one in ${(larger * 100).toFixed(1)} % (50 %: no difference).`,
  );
  console.log(`Best classification by time: ${(bestAccuracy(known, unknown) * 100).toFixed(1)} % correct.`);
  console.log(`Distinct responses (status, body, header names): ${observed.length}: ${observed.join(' | ')}`);
  if (observed.length !== 1) throw new Error('The responses of known and unknown e-mails differ');
  if (Math.abs(larger - 0.5) > MAX_BIAS) throw new Error('The times of known and unknown e-mails differ');
} finally {
  await stack.stop();
}

import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { startStack } from '@platform/shared/testing/stack';
import { bestGuess, median, overlapOfRanges, percentile, probabilityOfLarger } from './statistics.ts';

// `npm run bench:reset-timing`: whether the time of a reset request tells that its e-mail is known. 200 known and 200
// unknown e-mails, interleaved, through the gateway of a stack of its own.

const COUNT = 200;
const WARM_UP = 50;
/** With two times 200 values chance alone moves the probability by 0.03; five times that is no chance any more. */
const LARGEST_BIAS = 0.15;

type Answer = { known: boolean; milliseconds: number; observed: string };

const createRequester = (gatewayUrl: string) => {
  const url = `${gatewayUrl}${CUSTOMER.path}/reset-password/email/code/send`;
  return async (email: string, known: boolean): Promise<Answer> => {
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

/** Known, unknown, unknown, known, …: each kind follows the other as often as itself. */
const interleave = async (
  ask: (email: string, known: boolean) => Promise<Answer>,
  knownEmails: readonly string[],
): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (const [index, email] of knownEmails.entries()) {
    const pair = [() => ask(email, true), () => ask(uniqueEmail(), false)];
    if (index % 2 === 1) pair.reverse();
    for (const request of pair) answers.push(await request());
  }
  return answers;
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
  const ask = createRequester(gatewayUrl);
  await interleave(ask, emails.slice(COUNT));
  const answers = await interleave(ask, emails.slice(0, COUNT));

  const timesOf = (known: boolean) =>
    answers.filter((answer) => answer.known === known).map(({ milliseconds }) => milliseconds);
  const [known, unknown] = [timesOf(true), timesOf(false)];
  const observed = [...new Set(answers.map((answer) => answer.observed))];
  const larger = probabilityOfLarger(known, unknown);
  console.log(describeTimes('Known e-mails  ', known));
  console.log(describeTimes('Unknown e-mails', unknown));
  console.log(`Difference of the medians: ${(median(known) - median(unknown)).toFixed(2)} ms`);
  console.log(`Overlap of the ranges p5 to p95: ${(overlapOfRanges(known, unknown) * 100).toFixed(0)} %`);
  console.log(
    `A known e-mail takes longer than an unknown one in ${(larger * 100).toFixed(1)} % (50 % tells nothing).`,
  );
  console.log(`The best guess from one time is right in ${(bestGuess(known, unknown) * 100).toFixed(1)} %.`);
  console.log(`Different answers (status, body, header names): ${observed.length}: ${observed.join(' | ')}`);
  if (observed.length !== 1) throw new Error('The answers tell known from unknown e-mails');
  if (Math.abs(larger - 0.5) > LARGEST_BIAS) throw new Error('The times tell known from unknown e-mails');
} finally {
  await stack.stop();
}

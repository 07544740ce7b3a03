import type { Operation } from './contract.ts';
import { bytesOf, type Draft, targetOf } from './draft.ts';
import type { World } from './fixture.ts';
import { generateRequest } from './generate.ts';
import { createRandom } from './random.ts';
import { createRawRequest } from './raw-requests.ts';
import { createOperationFinder, judge, judgeAny } from './response-checker.ts';
import { createSender, type FuzzOutcome, sendRaw } from './send.ts';
import type { Tally } from './tally.ts';

type Run = {
  seed: number;
  requests: number;
  operations: readonly Operation[];
  world: World;
  gatewayUrl: string;
  tally: Tally;
  /** Called before each request. */
  onRequest: (number: number) => void;
};

/** A part of the requests is not even HTTP. */
const RAW_SHARE = 0.04;
const AT_ONCE = 10;

/** What was wrong with the answer to a request. */
export type Fault = { number: number; what: string; request: string; requestId: string | undefined };

const printable = (draft: Draft): string => {
  const body = bytesOf(draft)?.toString('utf8').slice(0, 200) ?? '';
  const headers = draft.headers.map(([name, value]) => `${name}: ${value.slice(0, 60)}`).join(' | ');
  return JSON.stringify(`${draft.method} ${targetOf(draft).slice(0, 200)} | ${headers} | ${body}`);
};

/** Sends all requests, a few at a time, and answers everything that was wrong with an answer, each with its request. */
export const runRequests = async (run: Run): Promise<Fault[]> => {
  const { seed, requests, operations, world, gatewayUrl, tally, onRequest } = run;
  const find = createOperationFinder(operations);
  const sender = createSender(gatewayUrl);
  const faults: Fault[] = [];
  let next = 0;

  const note = (number: number, request: string, outcome: FuzzOutcome, found: readonly string[]): void => {
    const requestId = 'failure' in outcome ? undefined : outcome.headers['x-request-id'];
    for (const what of found) faults.push({ number, what, request, requestId });
  };
  const runRaw = async (number: number, bytes: Buffer): Promise<void> => {
    const outcome = await sendRaw(gatewayUrl, bytes);
    tally.noteRaw(outcome);
    const found = 'failure' in outcome ? [outcome.failure] : judgeAny(outcome, true);
    note(number, JSON.stringify(bytes.toString('latin1').slice(0, 200)), outcome, found);
  };
  const runGenerated = async (number: number, draft: Draft): Promise<void> => {
    const outcome = await sender.send(draft);
    tally.note(draft, outcome);
    const operation = find(draft);
    const found = 'failure' in outcome ? [outcome.failure] : judge({ draft, operation, answer: outcome });
    const mutations = draft.mutations.join(', ') || 'valid';
    note(number, `${draft.operation.id}, ${mutations}: ${printable(draft)}`, outcome, found);
  };
  const work = async (): Promise<void> => {
    for (let number = next++; number < requests; number = next++) {
      onRequest(number);
      const random = createRandom(seed, number);
      if (random.chance(RAW_SHARE)) await runRaw(number, createRawRequest(random));
      else await runGenerated(number, await generateRequest(operations, random, world));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  sender.close();
  return faults;
};

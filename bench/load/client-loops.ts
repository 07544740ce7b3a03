// The child process of runClientLoops (load.ts). It receives its load as a message.
import { setTimeout as delay } from 'node:timers/promises';
import { type ClientLoopsLoad, createTally, type LoadResult, type Request, receiveLoad } from './load.ts';
import { createSender, type Send } from './sender.ts';

const run = async ({ url, duration, loops, honorsRetryAfter }: ClientLoopsLoad) => {
  const ends = performance.now() + duration * 1_000;
  const runLoop = async (sendOne: Send, request: Request, tally: ReturnType<typeof createTally>) => {
    while (performance.now() < ends) {
      const started = performance.now();
      const { status, retryAfterSeconds } = await sendOne(request);
      tally.add(status, performance.now() - started);
      if (honorsRetryAfter) await delay(retryAfterSeconds * 1_000);
    }
  };
  const results = loops.map(async ({ name, connections, request }): Promise<[string, LoadResult]> => {
    const sendOne = createSender(url, connections);
    const tally = createTally();
    const clients = Array.from({ length: connections }, () => runLoop(sendOne, request, tally));
    const failed = (await Promise.allSettled(clients)).filter(({ status }) => status === 'rejected');
    return [name, tally.summarize(failed.length, [])];
  });
  return Object.fromEntries(await Promise.all(results));
};

receiveLoad(run);

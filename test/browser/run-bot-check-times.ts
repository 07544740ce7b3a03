import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createBotCheck } from '@platform/shared/platform/bot-check/bot-check';
import { readBotCheck } from '@platform/shared/platform/bot-check/bot-check-settings';
import { solveBotChallenge } from '@platform/shared/platform/bot-check/bot-check-solver';
import { startChromium } from './support/chromium.ts';

// `node run.mjs test/browser/run-bot-check-times.ts` prints how long challenges of the default cost take: in a
// worker of Chromium, in its main thread at a quarter of the speed (CDP slows no worker), and in Node on all
// processors. The client uses a worker.

const CHALLENGES = Number(process.argv[2] ?? 20);
const SLOWDOWN = 4;

const SOLVE = `import { solveChallenge } from '/pow.js';
import { deriveKey } from '/algorithms/web/pbkdf2.js';
export const solve = async (challenges) => {
  const startedAt = performance.now();
  for (const challenge of challenges) await solveChallenge({ challenge, deriveKey });
  return (performance.now() - startedAt) / 1000 / challenges.length;
};`;
const WORKER = `import { solve } from '/solve.js';
onmessage = async ({ data }) => postMessage(await solve(data));`;
const LIBRARY = new URL('./v2/', import.meta.resolve('altcha-lib').replace(/v2\/[^/]*$/, ''));
const SCRIPTS: Record<string, string> = { '/solve.js': SOLVE, '/worker.js': WORKER };

const serve = async () => {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') return response.setHeader('Content-Type', 'text/html').end('<!doctype html>');
    response.setHeader('Content-Type', 'text/javascript');
    return response.end(SCRIPTS[url] ?? (await readFile(new URL(`.${url}`, LIBRARY), 'utf8')));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
};

const settings = readBotCheck({
  BOT_CHECK: 'altcha',
  BOT_CHECK_KEY: 'x'.repeat(32),
  BOT_CHECK_KEY_PREVIOUS: [],
  BOT_CHECK_COST: Number(process.env['BOT_CHECK_COST'] ?? 5_000),
});
if (!settings) throw new Error('Bots are checked');
// Redis is needed only to verify.
const { createChallenge } = createBotCheck({
  ...settings,
  redis: undefined as never,
  metrics: createMetrics('times'),
});
const create = (count: number) => Promise.all(Array.from({ length: count }, createChallenge));
const print = (where: string, seconds: number) =>
  console.log(`${where}: ${seconds.toFixed(2)} s for a challenge`);

const site = await serve();
const browser = await startChromium();
try {
  const page = await browser.newPage();
  await page.goto(site.url);
  const inWorker = `(challenges) => new Promise((resolve) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(challenges);
  })`;
  const inPage = `async (challenges) => (await import('/solve.js')).solve(challenges)`;
  const run = async (script: string) =>
    (await page.evaluate(`(${script})(${JSON.stringify(await create(CHALLENGES))})`)) as number;
  print('Chromium, worker', await run(inWorker));
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  print(`Chromium, main thread, ${SLOWDOWN} times slower`, await run(inPage));
} finally {
  await browser.close();
  site.close();
}
const challenges = await create(CHALLENGES);
const startedAt = performance.now();
await Promise.all(challenges.map((challenge) => solveBotChallenge(challenge)));
const seconds = (performance.now() - startedAt) / 1_000;
print(`Node, ${availableParallelism()} processors together`, seconds / CHALLENGES);

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// `npm run check`: every check of the sources. They only read, so they run side by side; each prints when its turn comes.
// `--only types,imports` runs these alone.

type Step = { name: string; about: string; command: string[] };
type Outcome = { passed: boolean; output: string; seconds: number };

const ROOT = resolve(import.meta.dirname, '..');

/** Scripts for this very Node, so that no shell, no PATH and no executable bit is needed. */
const STEPS: Step[] = [
  { name: 'generated', about: 'generated types are fresh', command: ['openapi/generate.ts', '--check'] },
  {
    name: 'contract',
    about: 'no caller of the released contract breaks unannounced',
    command: ['tools/openapi-diff.ts'],
  },
  {
    name: 'style',
    about: 'format and lint',
    command: [
      'node_modules/@biomejs/biome/bin/biome',
      'ci',
      '--error-on-warnings',
      '--max-diagnostics=none',
      '--colors=off',
    ],
  },
  {
    name: 'types',
    about: 'types',
    command: ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json'],
  },
  {
    name: 'imports',
    about: 'who may import whom',
    command: ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '.', '--output-type', 'err-long'],
  },
];

const run = ({ command }: Step): Promise<Outcome> => {
  const started = performance.now();
  const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finish = (passed: boolean, extra = '') =>
    settle({
      passed,
      output: Buffer.concat(chunks).toString() + extra,
      seconds: (performance.now() - started) / 1000,
    });
  child.once('error', (error) => finish(false, error.message));
  child.once('close', (code, signal) => finish(code === 0, signal ? `Ended by ${signal}.` : ''));
  return promise;
};

const selectSteps = (only: string | undefined): Step[] => {
  const names = only?.split(',') ?? STEPS.map(({ name }) => name);
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No such step: ${unknown.join(', ')}. There are ${STEPS.map(({ name }) => name).join(', ')}.`,
    );
  return STEPS.filter(({ name }) => names.includes(name));
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const running = selectSteps(values.only).map((step) => ({ step, outcome: run(step) }));
for (const { step, outcome } of running) {
  const { passed, output, seconds } = await outcome;
  console.log(`${passed ? '✓' : '✗'} ${step.about} (${step.name}, ${seconds.toFixed(1)} s)`);
  if (passed) continue;
  console.log(`\n${output.replace(/^\s*\n/, '').trimEnd()}\n`);
  process.exitCode = 1;
}

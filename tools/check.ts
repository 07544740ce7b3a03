import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// `npm run check`: all static checks. They change no files, so they run in parallel; results print in the
// order of STEPS. `--only types,imports` runs the named steps.

/** With `isReport`, the output is also printed when the step passes, if `--only` names it. */
type Step = { name: string; description: string; command: string[]; isReport?: boolean };
type StepResult = { passed: boolean; output: string; seconds: number };

const ROOT = resolve(import.meta.dirname, '..');

/** Scripts for the current Node executable, so that they need no shell, no PATH and no executable bit. */
const STEPS: Step[] = [
  {
    name: 'generated',
    description: 'documents and types are up to date with the contracts of the features',
    command: ['tools/generate-openapi.ts', '--check'],
  },
  {
    name: 'passwords',
    description: 'the list of common passwords is up to date',
    command: ['tools/common-passwords.ts', '--check'],
  },
  {
    name: 'openapi',
    description: 'OpenAPI documents follow the rules of tools/redocly.yaml',
    // Redocly looks for newer versions only on a terminal, and redocly.yaml turns usage statistics off, so it
    // needs no network.
    command: [
      'node_modules/@redocly/cli/bin/cli.js',
      'lint',
      '--config=tools/redocly.yaml',
      '--format=stylish',
      '--max-problems=1000',
    ],
  },
  {
    name: 'rules',
    description: 'alert rules of the Kubernetes overlays are up to date',
    command: ['tools/prometheus-rules.ts', '--check'],
  },
  {
    name: 'connections',
    description: 'the Kubernetes overlays open no more connections than Postgres allows',
    command: ['tools/connections.ts'],
    isReport: true,
  },
  {
    name: 'overlays',
    description: 'the processes of each Kubernetes overlay start and share their settings',
    command: ['tools/overlay-settings.ts'],
  },
  {
    name: 'shutdown',
    description: 'every deployment leaves a stopping process more time than its drain and shutdown take',
    command: ['tools/shutdown-times.ts'],
  },
  {
    name: 'style',
    description: 'format and lint',
    command: [
      'node_modules/@biomejs/biome/bin/biome',
      'ci',
      '--error-on-warnings',
      '--max-diagnostics=none',
      '--colors=off',
    ],
  },
  {
    name: 'react',
    description: 'the Rules of React in the pages',
    command: [
      'node_modules/eslint/bin/eslint.js',
      '--config=web/eslint.config.js',
      '--max-warnings=0',
      'web',
    ],
  },
  {
    name: 'sheets',
    description: 'style sheets of the pages',
    command: [
      'node_modules/stylelint/bin/stylelint.mjs',
      '--config=web/stylelint.config.js',
      '--max-warnings=0',
      'web/**/*.css',
    ],
  },
  {
    name: 'types',
    description: 'types',
    command: ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json'],
  },
  {
    name: 'types',
    description: 'types of the pages',
    command: ['node_modules/typescript-native/bin/tsc', '-p', 'web/tsconfig.json'],
  },
  {
    name: 'types',
    description: 'build of the pages',
    command: ['web/run-build.ts', '--check'],
  },
  {
    name: 'imports',
    description: 'import rules',
    command: ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '.', '--output-type', 'err-long'],
  },
  {
    name: 'unused',
    description: 'no unused files, exports or dependencies',
    command: ['node_modules/knip/bin/knip.js', '--config=tools/knip.json', '--no-progress'],
  },
];

const run = ({ command }: Step): Promise<StepResult> => {
  const started = performance.now();
  const { promise, resolve: settle } = Promise.withResolvers<StepResult>();
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
  child.once('close', (code, signal) => finish(code === 0, signal ? `Terminated by ${signal}.` : ''));
  return promise;
};

const selectSteps = (only: string | undefined): Step[] => {
  const names = only?.split(',') ?? STEPS.map(({ name }) => name);
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown step: ${unknown.join(', ')}. Available: ${STEPS.map(({ name }) => name).join(', ')}.`,
    );
  return STEPS.filter(({ name }) => names.includes(name));
};

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log('Usage: npm run check -- [--only <step>,…]\n');
  for (const { name, description } of STEPS) console.log(`${name.padEnd(12)}${description}`);
  process.exit();
}
const running = selectSteps(values.only).map((step) => ({ step, result: run(step) }));
for (const { step, result } of running) {
  const { passed, output, seconds } = await result;
  console.log(`${passed ? '✓' : '✗'} ${step.description} (${step.name}, ${seconds.toFixed(1)} s)`);
  const isSkipped = output.startsWith('Skipped');
  if (passed && !(step.isReport && (values.only !== undefined || isSkipped))) continue;
  console.log(`\n${output.replace(/^\s*\n/, '').trimEnd()}\n`);
  if (!passed) process.exitCode = 1;
}

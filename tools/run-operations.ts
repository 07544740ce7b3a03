import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { STACK_SECONDS } from '../shared/src/async/patience.ts';
import { type DocCommand, matchesOutput, readDocCommands } from './doc-commands.ts';
import { openShell, type Shell } from './shell-session.ts';

// `npm run check:operations`: runs every command of the runbooks in order, each page in one shell, and
// compares the output with the page. The stack that a page starts uses a temporary data directory and free
// ports. Arguments select pages.

const ROOT = resolve(import.meta.dirname, '..');
/** A section of this page starts the stack, which the other pages use too. */
const RUNBOOKS = 'docs/runbooks.md';
const PAGES = [RUNBOOKS, 'docs/backup.md'];
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Programs that all pages need. A fence names the programs that only its block needs. */
const PROGRAMS = ['bash', 'curl', 'jq', 'psql'];

const getMajorVersion = (program: string): number | undefined => {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/\d+/.exec(stdout)?.[0]) : undefined;
};

const isInstalled = (needs: string): boolean => {
  const [program = '', minVersion = '0'] = needs.split(' ');
  return (getMajorVersion(program) ?? -1) >= Number(minVersion);
};

type PageCommand = DocCommand & { page: string };
type Count = { passed: number; failed: number; skipped: number };

/** @throws Error after a timeout, because the following commands cannot run */
const verifyCommand = async (
  shell: Shell,
  { page, line, command, output }: PageCommand,
): Promise<keyof Count> => {
  const title = `${page}:${line} $ ${command.split('\n', 1)[0]}`;
  const actual = await shell.run(command).catch((error: Error): never => {
    console.log(`✗ ${title}\n\n${error.message}\n`);
    throw error;
  });
  const isMatch = matchesOutput(output, actual);
  console.log(isMatch ? `✔ ${title}` : `✗ ${title}\n\nexpected:\n${output}\n\nactual:\n${actual}`);
  return isMatch ? 'passed' : 'failed';
};

const runCommands = async (commands: PageCommand[], shell: Shell): Promise<Count> => {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  for (const [index, command] of commands.entries()) {
    if (command.needs && !isInstalled(command.needs)) {
      console.log(`- ${command.page}:${command.line} skipped: ${command.needs} is not installed`);
      count.skipped += 1;
      continue;
    }
    try {
      count[await verifyCommand(shell, command)] += 1;
    } catch {
      count.failed += 1;
      count.skipped += commands.length - index - 1;
      break;
    }
  }
  return count;
};

const readCommands = async (page: string): Promise<PageCommand[]> =>
  readDocCommands(await readFile(join(ROOT, page), 'utf8')).map((command) => ({ page, ...command }));

const readSetup = async (): Promise<PageCommand[]> => {
  const lines = (await readFile(join(ROOT, RUNBOOKS), 'utf8')).split('\n');
  const start = lines.indexOf('## A practice stack');
  const end = lines.findIndex((text, index) => index > start && text.startsWith('## '));
  return (await readCommands(RUNBOOKS)).filter(({ line }) => line > start && line <= end);
};

/** Runs a page in a new shell, with temporary files that are deleted at the end. */
const runPage = async (page: string): Promise<Count> => {
  const commands = [...(page === RUNBOOKS ? [] : await readSetup()), ...(await readCommands(page))];
  const workDir = await mkdtemp(join(tmpdir(), 'operations-'));
  await chmod(workDir, 0o755); // as root, PostgreSQL runs under another account, which needs access
  const shell = openShell({
    cwd: ROOT,
    // The page calls `node`, which must be the executable of this process.
    env: {
      ...process.env,
      PATH: `${join(process.execPath, '..')}${delimiter}${process.env.PATH}`,
      TMPDIR: workDir,
    },
    commandSeconds: STACK_SECONDS,
  });
  const stop = () => void shell.close().then(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await runCommands(commands, shell);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await shell.close();
    // PostgreSQL may still be stopping.
    await rm(workDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
  }
};

const missing = PROGRAMS.filter((program) => getMajorVersion(program) === undefined);
if (missing.length > 0) {
  console.error(`Not installed: ${missing.join(', ')}. ${PAGES.join(' and ')} need them.`);
  process.exit(1);
}

const selected = process.argv.slice(2);
const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const page of selected.length > 0 ? selected : PAGES) {
  const { passed, failed, skipped } = await runPage(page);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
if (total.failed > 0 || total.passed === 0) process.exitCode = 1;

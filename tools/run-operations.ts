import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type DocCommand, matchesOutput, readDocCommands } from './doc-commands.ts';
import { openShell, type Shell } from './shell-session.ts';

// `npm run check:operations`: runs every command of docs/operations.md in order, in one shell, and compares the output with
// the page. The stack that the page starts uses a temporary data directory and free ports.

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/operations.md';
const COMMAND_SECONDS = 120;
/** Needed by the whole page. Fences name what only single blocks need. */
const PROGRAMS = ['bash', 'curl', 'jq', 'psql'];

const getMajorVersion = (program: string): number | undefined => {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/\d+/.exec(stdout)?.[0]) : undefined;
};

const isInstalled = (needs: string): boolean => {
  const [program = '', minVersion = '0'] = needs.split(' ');
  return (getMajorVersion(program) ?? -1) >= Number(minVersion);
};

type Count = { passed: number; failed: number; skipped: number };

/** @throws Error after a timeout: the following commands cannot run then */
const verifyCommand = async (shell: Shell, { line, command, output }: DocCommand): Promise<keyof Count> => {
  const title = `${PAGE}:${line} $ ${command.split('\n', 1)[0]}`;
  const actual = await shell.run(command).catch((error: Error): never => {
    console.log(`✗ ${title}\n\n${error.message}\n`);
    throw error;
  });
  const isMatch = matchesOutput(output, actual);
  console.log(isMatch ? `✔ ${title}` : `✗ ${title}\n\nexpected:\n${output}\n\nactual:\n${actual}`);
  return isMatch ? 'passed' : 'failed';
};

const runPage = async (commands: DocCommand[], shell: Shell): Promise<Count> => {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  for (const [index, command] of commands.entries()) {
    if (command.needs && !isInstalled(command.needs)) {
      console.log(`- ${PAGE}:${command.line} skipped: ${command.needs} is not installed`);
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

const missing = PROGRAMS.filter((program) => getMajorVersion(program) === undefined);
if (missing.length > 0) {
  console.error(`Not installed: ${missing.join(', ')}. ${PAGE} needs them.`);
  process.exit(1);
}

const workDir = await mkdtemp(join(tmpdir(), 'operations-'));
await chmod(workDir, 0o755); // as root, PostgreSQL runs under another account, which needs access
const shell = openShell({
  cwd: ROOT,
  // The page calls `node`: use the executable of this process, wherever it is installed.
  env: {
    ...process.env,
    PATH: `${join(process.execPath, '..')}${delimiter}${process.env.PATH}`,
    TMPDIR: workDir,
  },
  commandSeconds: COMMAND_SECONDS,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void shell.close().then(() => process.exit(1)));
try {
  const { passed, failed, skipped } = await runPage(
    readDocCommands(await readFile(join(ROOT, PAGE), 'utf8')),
    shell,
  );
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
} finally {
  await shell.close();
  await rm(workDir, { recursive: true, force: true });
}

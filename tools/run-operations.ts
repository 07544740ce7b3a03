import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type ConsoleCommand, matchesOutput, readConsoleCommands } from './doc-commands.ts';
import { openShell, type Shell } from './shell-session.ts';

// `npm run check:operations`: runs every command of docs/operations.md, in order and in one shell, and holds what it prints
// against what the page says. The stack that the page starts has data and ports of its own.

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/operations.md';
const COMMAND_SECONDS = 120;
/** Of the page itself; what only some blocks need, their fences name. */
const PROGRAMS = ['bash', 'curl', 'jq', 'psql'];

const versionOf = (program: string): number | undefined => {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/\d+/.exec(stdout)?.[0]) : undefined;
};

const isPresent = (needs: string): boolean => {
  const [program = '', least = '0'] = needs.split(' ');
  return (versionOf(program) ?? -1) >= Number(least);
};

type Count = { passed: number; failed: number; skipped: number };

/** Runs the command and tells how it went. @throws Error when it does not end: what follows cannot be run then */
const verify = async (shell: Shell, { line, command, output }: ConsoleCommand): Promise<keyof Count> => {
  const title = `${PAGE}:${line} $ ${command.split('\n', 1)[0]}`;
  const actual = await shell.run(command).catch((error: Error): never => {
    console.log(`✗ ${title}\n\n${error.message}\n`);
    throw error;
  });
  const isTrue = matchesOutput(output, actual);
  console.log(isTrue ? `✔ ${title}` : `✗ ${title}\n\nthe page says:\n${output}\n\nit printed:\n${actual}`);
  return isTrue ? 'passed' : 'failed';
};

const runPage = async (commands: ConsoleCommand[], shell: Shell): Promise<Count> => {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  for (const [index, command] of commands.entries()) {
    if (command.needs && !isPresent(command.needs)) {
      console.log(`- ${PAGE}:${command.line} not run: it needs ${command.needs}`);
      count.skipped += 1;
      continue;
    }
    try {
      count[await verify(shell, command)] += 1;
    } catch {
      count.failed += 1;
      count.skipped += commands.length - index - 1;
      break;
    }
  }
  return count;
};

const missing = PROGRAMS.filter((program) => versionOf(program) === undefined);
if (missing.length > 0) {
  console.error(`${PAGE} is run with ${missing.join(', ')}, which this machine lacks.`);
  process.exit(1);
}

const workDir = await mkdtemp(join(tmpdir(), 'operations-'));
await chmod(workDir, 0o755); // run by root, PostgreSQL's account must get in
const shell = openShell({
  cwd: ROOT,
  // The page says `node`: the one that runs this, wherever the machine has it.
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
    readConsoleCommands(await readFile(join(ROOT, PAGE), 'utf8')),
    shell,
  );
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
} finally {
  await shell.close();
  await rm(workDir, { recursive: true, force: true });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** The system account of a process; only root can choose it. */
export type Account = { uid: number; gid: number; name: string };

/** The command of a process of the stack. Node processes run on `process.execPath`. */
export type Command = {
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  logFile: string;
  account?: Account | undefined;
};

/** `exited` resolves to the reason, e.g. "exit code 1"; it never rejects. */
export type RunningChild = {
  pid: number | undefined;
  exited: Promise<string>;
  hasExited(): boolean;
  signal(name: NodeJS.Signals): void;
};

// A URL, because `--import` would misread a path that contains % or #.
const exitWithParent = new URL('./exit-with-parent.ts', import.meta.url).href;

/** The command of a TypeScript entry point that exits together with this process (exit-with-parent.ts). */
export const nodeCommand = (
  entry: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  logFile: string,
  flags: string[] = [],
): Command => ({
  file: process.execPath,
  args: [...flags, '--import', exitWithParent, entry],
  env,
  cwd,
  logFile,
});

const waitForExit = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });

/** Starts the command; its output is appended to its log. */
export const startChild = (command: Command): RunningChild => {
  const log = openSync(command.logFile, 'a', 0o600);
  const hasChannel = command.file === process.execPath;
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      stdio: ['ignore', log, log, ...(hasChannel ? (['ipc'] as const) : [])],
      // A separate process group, so that Ctrl-C in the terminal signals only the stack, which stops its
      // children in order.
      detached: true,
      ...(command.account && { uid: command.account.uid, gid: command.account.gid }),
    });
    let isGone = false;
    const exited = waitForExit(child).then((reason) => {
      isGone = true;
      return reason;
    });
    return {
      pid: child.pid,
      exited,
      hasExited: () => isGone,
      signal: (name) => void child.kill(name),
    };
  } finally {
    closeSync(log);
  }
};

const tailBytes = 8_192;

/** Empties the log, which covers one run of the stack. */
export const truncateLog = (file: string): void => closeSync(openSync(file, 'w', 0o600));

/** The last `lines` lines of a log; reads only the end of the file. */
export const readLogTail = (file: string, lines = 15): string => {
  const { size } = statSync(file);
  const start = Math.max(0, size - tailBytes);
  const buffer = Buffer.alloc(size - start);
  const handle = openSync(file, 'r');
  try {
    const read = readSync(handle, buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, read).trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    closeSync(handle);
  }
};

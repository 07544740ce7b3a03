import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** An account to run as; only root can. */
export type Account = { uid: number; gid: number; name: string };

/** How a process of the stack is run. Node processes are run as `process.execPath`, the engines as their binaries. */
export type Command = {
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  logFile: string;
  account?: Account | undefined;
};

/** One life of a process. `ended` tells how it ended, e.g. "exit code 1"; it never rejects. */
export type ChildRun = {
  pid: number | undefined;
  ended: Promise<string>;
  hasEnded(): boolean;
  signal(name: NodeJS.Signals): void;
};

// A URL: as a path, it would be misread where the checkout's own has a % or a # in it.
const tether = new URL('./exit-with-parent.ts', import.meta.url).href;

/** The command for a TypeScript entry point of ours, tied to this process's life by `tether.ts`. */
export const nodeCommand = (
  entry: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  logFile: string,
  flags: string[] = [],
): Command => ({
  file: process.execPath,
  args: [...flags, '--import', tether, entry],
  env,
  cwd,
  logFile,
});

const waitForEnd = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });

/** Starts the command, its output appended to its log. */
export const runChild = (command: Command): ChildRun => {
  const log = openSync(command.logFile, 'a', 0o600);
  const tethered = command.file === process.execPath;
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      stdio: ['ignore', log, log, ...(tethered ? (['ipc'] as const) : [])],
      // A group of its own: Ctrl-C in the terminal reaches the stack alone, which then stops its children in order.
      detached: true,
      ...(command.account && { uid: command.account.uid, gid: command.account.gid }),
    });
    let isOver = false;
    const ended = waitForEnd(child).then((ending) => {
      isOver = true;
      return ending;
    });
    return { pid: child.pid, ended, hasEnded: () => isOver, signal: (name) => void child.kill(name) };
  } finally {
    closeSync(log);
  }
};

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

type Options = { cwd: string; env: NodeJS.ProcessEnv; commandSeconds: number };

/** One bash for many commands, so that a variable that one sets is there for the next. */
export const openShell = ({ cwd, env, commandSeconds }: Options) => {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own: what a command left running in the background ends with it.
    detached: true,
  });
  const ended = once(shell, 'close');
  let printed = '';
  let onPrinted: () => void = () => undefined;
  shell.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    onPrinted();
  });
  shell.stdin.write('exec 2>&1\n');

  return {
    /** What the command printed on both streams, together. @throws Error when it takes too long */
    run: async (command: string): Promise<string> => {
      const mark = randomUUID();
      printed = '';
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const timer = setTimeout(
        () => reject(new Error(`It took longer than ${commandSeconds} s and had printed:\n${printed}`)),
        commandSeconds * 1_000,
      );
      onPrinted = () => {
        const end = printed.indexOf(mark);
        if (end >= 0) resolve(printed.slice(0, end));
      };
      // Without the redirection a command could read on in the commands that follow it.
      shell.stdin.write(`{ ${command}\n} < /dev/null\nprintf '%s\\n' ${mark}\n`);
      return await promise.finally(() => clearTimeout(timer));
    },

    /** Ends it and all that it has started. */
    close: async (): Promise<void> => {
      const isRunning = shell.exitCode === null && shell.signalCode === null;
      if (shell.pid !== undefined && isRunning) process.kill(-shell.pid, 'SIGTERM');
      shell.stdin.destroy();
      await ended;
    },
  };
};

export type Shell = ReturnType<typeof openShell>;

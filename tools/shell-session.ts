import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

type Options = { cwd: string; env: NodeJS.ProcessEnv; commandSeconds: number };

/** One bash process for several commands, so that they share variables and functions. */
export const openShell = ({ cwd, env, commandSeconds }: Options) => {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    // The shell runs in a separate process group, so that closing it also terminates background processes.
    detached: true,
  });
  const ended = once(shell, 'close');
  let output = '';
  let onOutput: () => void = () => undefined;
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    onOutput();
  });
  shell.stdin.write('exec 2>&1\n');

  return {
    /** Returns the combined output of both streams. @throws Error after `commandSeconds` */
    run: async (command: string): Promise<string> => {
      const endMarker = randomUUID();
      output = '';
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const timer = setTimeout(
        () => reject(new Error(`Timed out after ${commandSeconds} s. Output so far:\n${output}`)),
        commandSeconds * 1_000,
      );
      onOutput = () => {
        const end = output.indexOf(endMarker);
        if (end >= 0) resolve(output.slice(0, end));
      };
      // Without the redirection, a command could read the following commands as its input.
      shell.stdin.write(`{ ${command}\n} < /dev/null\nprintf '%s\\n' ${endMarker}\n`);
      return await promise.finally(() => clearTimeout(timer));
    },

    /** Terminates the shell and all processes that it started. */
    close: async (): Promise<void> => {
      const isRunning = shell.exitCode === null && shell.signalCode === null;
      if (shell.pid !== undefined && isRunning) process.kill(-shell.pid, 'SIGTERM');
      shell.stdin.destroy();
      await ended;
    },
  };
};

export type Shell = ReturnType<typeof openShell>;

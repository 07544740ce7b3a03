import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Image } from './buildah.ts';

/**
 * Emulates a container engine with plain Linux tools: read-only root file system, the image's user without groups, only the
 * given environment, and the command as process 1 of a PID namespace, which ignores signals without a handler.
 */
const ENTER_SCRIPT = `
  set -e
  root=$1 user=$2 folder=$3; shift 3
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -o remount,bind,ro "$root"
  exec chroot --userspec="$user" --groups= "$root" /usr/bin/env -i -C "$folder" "$@"`;

const NAMESPACES = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
const EXIT_TIMEOUT_SECONDS = 30;

type Environment = Record<string, string>;
type ExitResult = { code: number | null; output: string };

const enter = ({ root, config }: Image, environment: Environment, command: string[]): ChildProcess => {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const rest = [root, config.User, config.WorkingDir, ...config.Env, ...variables, ...command];
  return spawn('unshare', [...NAMESPACES, 'sh', '-c', ENTER_SCRIPT, 'enter', ...rest], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const collectOutput = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return () => output;
};

const waitForExit = async (child: ChildProcess): Promise<number | null> => {
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_SECONDS * 1_000);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  clearTimeout(timer);
  return child.exitCode;
};

/** Runs a command in the image until it exits; by default the image's own command. */
export const runInImage = async (
  image: Image,
  environment: Environment,
  command = [...image.config.Entrypoint, ...image.config.Cmd],
): Promise<ExitResult> => {
  const child = enter(image, environment, command);
  const output = collectOutput(child);
  return { code: await waitForExit(child), output: output() };
};

/** Starts the image's command in the background. */
export const startContainer = (image: Image, environment: Environment) => {
  const { Entrypoint, Cmd, Healthcheck } = image.config;
  const child = enter(image, environment, [...Entrypoint, ...Cmd]);
  const output = collectOutput(child);

  const findProcess = async (): Promise<number> => {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    return Number(children.trim());
  };
  return {
    image,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    output,
    /** /proc/<pid>/status of the process: user, capabilities, process ids. */
    readStatus: async (): Promise<string> => await readFile(`/proc/${await findProcess()}/status`, 'utf8'),
    /** Runs the image's HEALTHCHECK: exit code 0 is healthy. */
    checkHealth: () => runInImage(image, environment, Healthcheck?.Test.slice(1)),
    stop: async (): Promise<ExitResult> => {
      process.kill(await findProcess(), 'SIGTERM');
      return { code: await waitForExit(child), output: output() };
    },
    kill: () => void child.kill('SIGKILL'),
  };
};

export type Container = ReturnType<typeof startContainer>;

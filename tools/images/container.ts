import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Image } from './buildah.ts';

/**
 * What a container engine would do, with what Linux has: a root file system that is read-only to its last folder, the
 * image's user without groups, only the environment given, and the command as process 1 of its own process ids, which
 * takes no signal that it has not asked for.
 */
const ENTER = `
  set -e
  root=$1 user=$2 folder=$3; shift 3
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -o remount,bind,ro "$root"
  exec chroot --userspec="$user" --groups= "$root" /usr/bin/env -i -C "$folder" "$@"`;

const NAMESPACES = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
const END_SECONDS = 30;

type Environment = Record<string, string>;
export type Ending = { code: number | null; output: string };

const enter = ({ root, config }: Image, environment: Environment, command: string[]): ChildProcess => {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const rest = [root, config.User, config.WorkingDir, ...config.Env, ...variables, ...command];
  return spawn('unshare', [...NAMESPACES, 'sh', '-c', ENTER, 'enter', ...rest], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const collect = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return () => output;
};

const awaitEnd = async (child: ChildProcess): Promise<number | null> => {
  const patience = setTimeout(() => child.kill('SIGKILL'), END_SECONDS * 1_000);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  clearTimeout(patience);
  return child.exitCode;
};

/** Runs a command in the image to its end: its own, or another. */
export const runInImage = async (
  image: Image,
  environment: Environment,
  command = [...image.config.Entrypoint, ...image.config.Cmd],
): Promise<Ending> => {
  const child = enter(image, environment, command);
  const output = collect(child);
  return { code: await awaitEnd(child), output: output() };
};

/** Starts what the image is for; it runs until it is stopped. */
export const startContainer = (image: Image, environment: Environment) => {
  const { Entrypoint, Cmd, Healthcheck } = image.config;
  const child = enter(image, environment, [...Entrypoint, ...Cmd]);
  const output = collect(child);

  const findProcess = async (): Promise<number> => {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    return Number(children.trim());
  };
  return {
    image,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output,
    /** The process as it sees itself, and the user that it runs as. */
    readStatus: async (): Promise<string> => await readFile(`/proc/${await findProcess()}/status`, 'utf8'),
    /** What the image's HEALTHCHECK says: 0 healthy, 1 not. */
    checkHealth: () => runInImage(image, environment, Healthcheck?.Test.slice(1)),
    stop: async (): Promise<Ending> => {
      process.kill(await findProcess(), 'SIGTERM');
      return { code: await awaitEnd(child), output: output() };
    },
    kill: () => void child.kill('SIGKILL'),
  };
};

export type Container = ReturnType<typeof startContainer>;

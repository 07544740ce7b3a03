import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { nodeCommand } from '@platform/dev/child-process';
import { reservePorts } from '@platform/dev/ports';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from '@platform/dev/supervisor';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const HOST = '127.0.0.1';

/** Ports that were free a moment ago. */
export const findPorts = async (count: number): Promise<number[]> => {
  const wishes = Array.from({ length: count }, (_, index) => [String(index), { port: 0, host: HOST }]);
  const ports = Object.values(await reservePorts(Object.fromEntries(wishes)));
  await Promise.all(ports.map((port) => port.release()));
  return ports.map(({ port }) => port);
};

/** Whether anything answers there, whatever it says. */
export const answers = (url: string): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const outgoing = request(url, { agent: false, timeout: 1_000 }, (incoming) => {
    incoming.resume();
    resolve(true);
  });
  outgoing.on('timeout', () => outgoing.destroy());
  outgoing.on('error', () => resolve(false));
  outgoing.end();
  return promise;
};

/** What a part of the run starts: it is stopped with the run, in the reverse order. */
export type Defer = (stop: () => Promise<void>) => void;

/** Starts a process that goes with the run. One that ended in between would spoil the figures, so that is said. */
export const startProcess = async (plan: ProcessPlan, defer: Defer): Promise<SupervisedProcess> => {
  const supervised = superviseProcess(plan, {
    say: (line) => console.log(`! ${line}`),
    onRestarted: () => undefined,
  });
  defer(() => supervised.stop());
  await supervised.start();
  return supervised;
};

type NodeProcess = {
  name: string;
  entry: string;
  cwd: string;
  env: Record<string, string>;
  directory: string;
  readyUrl: string;
};

/** A program of somebody else, on the Node of this process, told nothing but `env`. */
export const startNode = (
  { name, entry, cwd, env, directory, readyUrl }: NodeProcess,
  defer: Defer,
): Promise<SupervisedProcess> => {
  const own = { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...env };
  const command = nodeCommand(entry, own, cwd, `${directory}/${name}.log`);
  return startProcess(
    { name, command, isReady: () => answers(readyUrl), stopSeconds: 5, startSeconds: 60 },
    defer,
  );
};

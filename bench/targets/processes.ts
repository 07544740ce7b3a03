import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { nodeCommand } from '@platform/dev/child-process';
import { reservePorts } from '@platform/dev/ports';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from '@platform/dev/supervisor';
import { queryDatabase } from '@platform/shared/testing/query-database';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const HOST = '127.0.0.1';

/** Returns ports that are free now. */
export const findPorts = async (count: number): Promise<number[]> => {
  const wishes = Array.from({ length: count }, (_, index) => [String(index), { port: 0, host: HOST }]);
  const ports = Object.values(await reservePorts(Object.fromEntries(wishes)));
  await Promise.all(ports.map((port) => port.release()));
  return ports.map(({ port }) => port);
};

/** Whether the server responds, with any status. */
const responds = (url: string): Promise<boolean> => {
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

/** Registers a function that runs at the end of the run, in reverse order of registration. */
export type Defer = (stop: () => Promise<void>) => void;

/**
 * Starts a process that stops with the run. Its restarts are logged, because they distort the measurements.
 */
export const startProcess = async (plan: ProcessPlan, defer: Defer): Promise<SupervisedProcess> => {
  const supervised = superviseProcess(plan, {
    log: (line) => console.log(`! ${line}`),
    onRestarted: () => undefined,
  });
  defer(() => supervised.stop());
  await supervised.start();
  return supervised;
};

type NodeProgram = {
  name: string;
  entry: string;
  cwd: string;
  env: Record<string, string>;
  directory: string;
  readyUrl: string;
};

/**
 * Starts a program that is not part of the platform, with this process's Node and `env` as its whole
 * environment.
 */
export const startNode = (
  { name, entry, cwd, env, directory, readyUrl }: NodeProgram,
  defer: Defer,
): Promise<SupervisedProcess> => {
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    ...env,
  };
  const command = nodeCommand(entry, environment, cwd, `${directory}/${name}.log`);
  return startProcess({ name, command, isReady: () => responds(readyUrl), stopSeconds: 5 }, defer);
};

/** Creates a database on the same server. */
export const createDatabase = async (serverUrl: string, name: string): Promise<string> => {
  await queryDatabase(serverUrl, `create database ${name}`);
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
};

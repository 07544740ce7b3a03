import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { waitFor } from '@platform/shared/testing/poll';
import { parse, stringify } from 'yaml';

const CONFIGURATION = new URL('../../../deploy/alertmanager/alertmanager.yaml', import.meta.url);

/** The body that Alertmanager sends to a webhook. `at` is in milliseconds of performance.now(). */
export type Notification = {
  receiver: string;
  status: 'firing' | 'resolved';
  alerts: { status: 'firing' | 'resolved'; labels: Record<string, string> }[];
  at: number;
};

/** A webhook that collects notifications. */
const startReceiver = async () => {
  const notifications: Notification[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Omit<Notification, 'at'>;
    notifications.push({ ...body, at: performance.now() });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    notifications,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  };
};

/**
 * Runs Debian's Alertmanager with the routes and inhibition rules of the product. All receivers are one
 * webhook.
 */
export const startAlertmanager = async (host: string) => {
  const receiver = await startReceiver();
  const directory = await mkdtemp(join(tmpdir(), 'platform-alertmanager-'));
  const { receivers, route, inhibit_rules } = parse(await readFile(CONFIGURATION, 'utf8')) as {
    receivers: { name: string }[];
    route: object;
    inhibit_rules: object[];
  };
  const webhooks = receivers.map(({ name }) =>
    name === 'nobody' ? { name } : { name, webhook_configs: [{ url: receiver.url }] },
  );
  await writeFile(join(directory, 'config.yaml'), stringify({ receivers: webhooks, route, inhibit_rules }));
  const child = spawn('prometheus-alertmanager', [
    ...[`--config.file=${join(directory, 'config.yaml')}`, `--storage.path=${join(directory, 'data')}`],
    ...[`--web.listen-address=${host}:9093`, '--cluster.listen-address=', '--log.level=warn'],
  ]);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const killWithSuite = () => child.kill('SIGKILL');
  process.once('exit', killWithSuite);
  await waitFor('Alertmanager is ready', async () => {
    if (child.exitCode !== null) throw new Error(`Alertmanager did not start:\n${output}`);
    return fetch(`http://${host}:9093/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    notifications: receiver.notifications,
    url: `http://${host}:9093`,
    stop: async () => {
      process.off('exit', killWithSuite);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      receiver.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';

const DEPLOY = new URL('../../../deploy/prometheus/', import.meta.url);
/** Prometheus reads name servers only from resolv.conf, so it gets another file in a mount namespace. */
const RUN_WITH_RESOLV_CONF = 'mount --bind "$1" /etc/resolv.conf && shift && exec prometheus "$@"';

type Labels = Record<string, string>;
type Series = { metric: Labels; value: [time: number, value: string] };
type Alert = { labels: Labels; state: 'pending' | 'firing' };
type Target = { labels: Labels; health: string };

/** Says why a real Prometheus cannot run here; undefined if it can. */
export const findObstacle = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'needs root, for a mount namespace and port 53';
  for (const program of ['prometheus', 'prometheus-alertmanager', 'faketime'])
    if (spawnSync(program, ['--version']).status !== 0) return `${program} is not installed`;
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'mount namespaces are not available';
  return undefined;
};

/** Writes the configuration of the product with the address of this Alertmanager. */
const writeConfiguration = async (directory: string, dnsHost: string): Promise<void> => {
  const config = await readFile(new URL('prometheus.yaml', DEPLOY), 'utf8');
  await writeFile(join(directory, 'prometheus.yaml'), config.replace('alertmanager:9093', `${dnsHost}:9093`));
  await copyFile(new URL('alerts.yaml', DEPLOY), join(directory, 'alerts.yaml'));
  await writeFile(join(directory, 'resolv.conf'), `nameserver ${dnsHost}\n`);
};

/** Runs Debian's Prometheus with the scrape configuration and the alert rules of the product. */
export const startPrometheus = async (host: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-prometheus-'));
  await writeConfiguration(directory, host);
  const listen = `${host}:9090`;
  const file = (name: string) => join(directory, name);
  const child = spawn('unshare', [
    ...['--mount', 'sh', '-c', RUN_WITH_RESOLV_CONF, 'sh', file('resolv.conf')],
    ...[`--config.file=${file('prometheus.yaml')}`, `--storage.tsdb.path=${file('data')}`],
    ...[`--web.listen-address=${listen}`, '--log.level=warn'],
  ]);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const killWithSuite = () => child.kill('SIGKILL');
  process.once('exit', killWithSuite);

  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://${listen}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string };
    if (status !== 'success') throw new Error(`Prometheus: ${error}`);
    return data;
  };
  const query = async (expression: string): Promise<Series[]> =>
    (await get<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)).result;

  await waitFor('Prometheus is ready', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus did not start:\n${output}`);
    return fetch(`http://${listen}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    query,
    targets: async () => (await get<{ activeTargets: Target[] }>('targets?state=active')).activeTargets,
    /** Returns the names of the firing alerts. */
    firing: async (): Promise<string[]> => {
      const { alerts } = await get<{ alerts: Alert[] }>('alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');
    },
    stop: async () => {
      process.off('exit', killWithSuite);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

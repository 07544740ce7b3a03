import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { type NodeProcess, type ServiceName, startProcess } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createPlatform, type RestartableService, startEngines } from '../platform.ts';
import { startAlertmanager } from './alertmanager.ts';
import { startDnsServer } from './dns-server.ts';
import { startPrometheus } from './prometheus.ts';

/** As in Compose, each process has a separate address, and all instances of a service use the same ports. */
const PORTS: Record<ServiceName, { api: number; ops: number }> = {
  gateway: { api: 3000, ops: 9300 },
  'auth-service': { api: 3001, ops: 9301 },
  'admin-service': { api: 3002, ops: 9302 },
  'mailer-worker': { api: 3003, ops: 9303 },
};
const INSTANCES: readonly ServiceName[] = [
  'auth-service',
  'auth-service',
  'admin-service',
  'mailer-worker',
  'gateway',
];

/** No process listens at these addresses. */
const PROVIDER = {
  OIDC_PROVIDERS: 'company',
  OIDC_REDIRECT_URIS: 'https://app.example.com/',
  OIDC_COMPANY_ISSUER: 'https://127.0.0.1:1',
  OIDC_COMPANY_CLIENT_ID: 'platform',
  OIDC_COMPANY_CLIENT_SECRET: 'secret',
};

/** The receiver of the alert that always fires. */
const WATCHDOG = 'watchdog';

let networks = 0;
/** Returns another network of the loopback interface for each platform. */
const createNetwork = (): string =>
  `127.${(process.pid >> 8) & 0xff || 1}.${(process.pid + networks++) & 0xff}`;

const startInstances = async (
  platform: ReturnType<typeof createPlatform>,
  network: string,
): Promise<RestartableService[]> => {
  const started: RestartableService[] = [];
  const listUrls = (name: ServiceName) =>
    started
      .filter((service) => service.name === name)
      .map(({ url }) => url)
      .join(',');
  for (const [index, name] of INSTANCES.entries()) {
    const settings: Partial<Record<ServiceName, Record<string, string>>> = {
      gateway: { AUTH_SERVICE_URLS: listUrls('auth-service'), ADMIN_SERVICE_URLS: listUrls('admin-service') },
      'auth-service': PROVIDER,
    };
    const listener = { host: `${network}.${index + 10}`, ...PORTS[name] };
    const service = await platform.create(name, settings[name] ?? {}, listener);
    await service.start();
    started.push(service);
  }
  return started;
};

/** Starts the probe with separate accounts, through a proxy that plays the load balancer. */
const startProbe = async (network: string, gatewayUrl: string, { user }: Records) => {
  const operator = await user(['OPERATOR']);
  const proxy = await createInterruptibleProxy(gatewayUrl);
  const host = `${network}.${INSTANCES.length + 10}`;
  const start = async (settings: Record<string, string> = {}): Promise<NodeProcess> => {
    const account = await user(['CUSTOMER']);
    const environment = {
      LISTEN_HOST: host,
      PROBE_URL: proxy.url,
      PROBE_EMAIL: account.email,
      PROBE_PASSWORD: account.password,
      PROBE_OPERATOR_EMAIL: operator.email,
      PROBE_OPERATOR_PASSWORD: operator.password,
      ...settings,
    };
    const started = startProcess(['deploy/probe/src/main.ts'], { environment });
    await started.listening();
    return started;
  };
  let probe = await start();
  return {
    host,
    proxy,
    restart: async (settings?: Record<string, string>): Promise<void> => {
      await probe.stop();
      probe = await start(settings);
    },
    stop: () => Promise.all([probe.stop(), proxy.close()]),
  };
};

/** Mounts a small file system in memory, for a disk that fills up soon. */
const mountSmallDisk = () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-disk-'));
  const run = (command: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(command, args);
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  run('mount', '-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', folder);
  return {
    folder,
    unmount: () => {
      run('umount', '--lazy', folder);
      rmdirSync(folder);
    },
  };
};

/** Unlike the services, Postgres would outlive this process, even if it is frozen. */
const killWithSuite = (postgres: number) => {
  const kill = () => {
    for (const signal of ['SIGCONT', 'SIGQUIT'] as const) process.kill(postgres, signal);
  };
  process.once('exit', kill);
  return () => process.off('exit', kill);
};

/**
 * Starts the platform with two instances of auth-service and the probe, a DNS server that knows them, a
 * Prometheus that scrapes them, and an Alertmanager.
 */
export const startMonitoredPlatform = async ({ hasSmallDisk = false } = {}) => {
  const network = createNetwork();
  const dnsHost = `${network}.53`;
  const disk = hasSmallDisk ? mountSmallDisk() : undefined;
  const [dns, engines, smtp] = await Promise.all([
    startDnsServer(dnsHost),
    startEngines(disk?.folder),
    startFakeSmtpServer(),
  ]);
  const keepPostgres = killWithSuite(engines.pids().postgres);
  smtp.acceptLogins(true);
  const watching = watchProcesses();
  const platform = createPlatform(
    engines,
    smtp.url.replace('//', '//worker:password@'),
    watching,
    SERVICE_ENVIRONMENT,
  );
  const services = await startInstances(platform, network);
  const find = (name: ServiceName) => services.filter((service) => service.name === name);
  const opsUrlOf = (name: ServiceName) => find(name)[0]?.opsUrl ?? '';
  for (const { name, opsUrl } of services)
    dns.records.set(name, [...(dns.records.get(name) ?? []), new URL(opsUrl).hostname]);
  const gatewayUrl = find('gateway')[0]?.url ?? '';
  const records = createRecords(engines.databaseUrl);
  const probe = await startProbe(network, gatewayUrl, records);
  dns.records.set('probe', [probe.host]);
  const alertmanager = await startAlertmanager(dnsHost);
  const prometheus = await startPrometheus(dnsHost);
  return {
    ...engines,
    smtp,
    dns,
    prometheus,
    notifications: () => alertmanager.notifications.filter(({ receiver }) => receiver !== WATCHDOG),
    /** The notifications of the alert that always fires. */
    heartbeats: () => alertmanager.notifications.filter(({ receiver }) => receiver === WATCHDOG),
    gatewayUrl,
    records,
    probe,
    /** The folder of the small disk. */
    diskFolder: disk?.folder,
    /** The instances of a service. */
    find,
    /** The processes that Prometheus should find. */
    targets: services.length + 1,
    opsUrls: {
      gateway: opsUrlOf('gateway'),
      auth: opsUrlOf('auth-service'),
      admin: opsUrlOf('admin-service'),
      worker: opsUrlOf('mailer-worker'),
    },
    stop: async () => {
      await watching.stop();
      await prometheus.stop();
      await alertmanager.stop();
      await Promise.all([probe.stop(), ...services.map((service) => service.stop())]);
      await records.close();
      keepPostgres();
      await engines.stop();
      disk?.unmount();
      await smtp.stop();
      dns.stop();
    },
  };
};

export type MonitoredPlatform = Awaited<ReturnType<typeof startMonitoredPlatform>>;

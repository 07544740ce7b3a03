import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import type { ServiceName } from '@platform/shared/testing/process';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createPlatform, type RestartableService, startEngines } from '../platform.ts';
import { startDnsServer } from './dns-server.ts';
import { startPrometheus } from './prometheus.ts';

/** As in Compose, each process has its own address, and all instances of a service have the same ports. */
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

/** A network of the loopback interface, so that two runs of the suite do not use the same addresses. */
const findNetwork = (): string => `127.${(process.pid >> 8) & 0xff || 1}.${process.pid & 0xff}`;

const startInstances = async (
  platform: ReturnType<typeof createPlatform>,
  network: string,
): Promise<RestartableService[]> => {
  const started: RestartableService[] = [];
  const join = (name: ServiceName) =>
    started
      .filter((service) => service.name === name)
      .map(({ url }) => url)
      .join(',');
  for (const [index, name] of INSTANCES.entries()) {
    const upstreams =
      name === 'gateway'
        ? { AUTH_SERVICE_URLS: join('auth-service'), ADMIN_SERVICE_URLS: join('admin-service') }
        : {};
    const listener = { host: `${network}.${index + 10}`, ...PORTS[name] };
    const service = await platform.create(name, upstreams, listener);
    await service.start();
    started.push(service);
  }
  return started;
};

const findService = (services: readonly RestartableService[], name: ServiceName): RestartableService => {
  const found = services.find((service) => service.name === name);
  if (!found) throw new Error(`${name} was not started`);
  return found;
};

/** The platform with two instances of auth-service, a DNS server that knows them, and a Prometheus that scrapes them. */
export const startMonitoredPlatform = async () => {
  const network = findNetwork();
  const dnsHost = `${network}.53`;
  const [dns, engines, smtp] = await Promise.all([
    startDnsServer(dnsHost),
    startEngines(),
    startFakeSmtpServer(),
  ]);
  // The services end with this process, Postgres does not. It may be frozen.
  const { postgres } = engines.pids();
  const killPostgres = () => {
    for (const signal of ['SIGCONT', 'SIGQUIT'] as const) process.kill(postgres, signal);
  };
  process.once('exit', killPostgres);
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching);
  const services = await startInstances(platform, network);
  for (const { name, opsUrl } of services)
    dns.records.set(name, [...(dns.records.get(name) ?? []), new URL(opsUrl).hostname]);
  const prometheus = await startPrometheus(dnsHost);
  const opsUrlOf = (name: ServiceName) => findService(services, name).opsUrl;
  return {
    ...engines,
    smtp,
    dns,
    prometheus,
    gatewayUrl: findService(services, 'gateway').url,
    opsUrls: {
      gateway: opsUrlOf('gateway'),
      auth: opsUrlOf('auth-service'),
      admin: opsUrlOf('admin-service'),
      worker: opsUrlOf('mailer-worker'),
    },
    stop: async () => {
      await watching.stop();
      await prometheus.stop();
      await Promise.all(services.map((service) => service.stop()));
      process.off('exit', killPostgres);
      await engines.stop();
      await smtp.stop();
      dns.stop();
    },
  };
};

export type MonitoredPlatform = Awaited<ReturnType<typeof startMonitoredPlatform>>;

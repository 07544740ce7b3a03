import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFullyReady } from '@platform/dev/ports';
import { waitFor } from '@platform/shared/testing/poll';
import { startDnsServer } from '../alerts/dns-server.ts';
import { findPorts } from '../platform.ts';
import type { ChangeAddresses } from './faults.ts';
import { AUTH_PORT, type RoutingFixture } from './fixture.ts';

const ROOT = new URL('../../..', import.meta.url);
const NAME = 'auth-service';
/** getaddrinfo reads name servers from resolv.conf only: the gateway gets a file of its own in a mount namespace. */
const RUN_WITH_RESOLV_CONF = 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';

/** Undefined when a gateway with its own name server can run here. */
export const findDnsObstacle = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'needs root, for a mount namespace and port 53';
  return spawnSync('unshare', ['--mount', 'true']).status === 0
    ? undefined
    : 'mount namespaces are not available';
};

const spawnGateway = async (resolvConf: string, adminUrl: string) => {
  const [port = 0, opsPort = 0] = await findPorts(2);
  const args = ['--mount', 'sh', '-c', RUN_WITH_RESOLV_CONF, 'sh', resolvConf];
  const child = spawn('unshare', [...args, process.execPath, 'gateway/src/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      RATE_LIMIT_SCALE: '10000',
      GATEWAY_PORT: String(port),
      GATEWAY_OPS_PORT: String(opsPort),
      AUTH_SERVICE_URLS: `http://${NAME}:${AUTH_PORT}`,
      ADMIN_SERVICE_URLS: adminUrl,
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await waitFor('the gateway is ready', () => isFullyReady(`http://127.0.0.1:${opsPort}`), 30);
  return { url: `http://127.0.0.1:${port}`, pid: () => child.pid ?? 0, kill };
};

/** A gateway that resolves the name of auth-service to both instances. */
export const startDnsGateway = async ({ instances, admin }: RoutingFixture, network: string) => {
  const dns = await startDnsServer(`${network}.53`);
  const directory = await mkdtemp(join(tmpdir(), 'platform-routing-'));
  const resolvConf = join(directory, 'resolv.conf');
  await writeFile(resolvConf, `nameserver ${network}.53\n`);
  const hostOf = ({ front }: (typeof instances)[number]) => new URL(front.url).hostname;
  dns.records.set(NAME, instances.map(hostOf));
  const gateway = await spawnGateway(resolvConf, admin.url);

  /** Both addresses, one, none, and both again. */
  const changeAddresses: ChangeAddresses = async (working, duration) => {
    await delay(duration / 4);
    dns.records.set(NAME, [hostOf(working)]);
    await delay(duration / 4);
    dns.records.delete(NAME);
    await delay(duration / 4);
    dns.records.set(NAME, instances.map(hostOf));
    await delay(duration / 4);
  };
  return {
    ...gateway,
    changeAddresses,
    stop: async () => {
      gateway.kill();
      dns.stop();
      await rm(directory, { recursive: true });
    },
  };
};

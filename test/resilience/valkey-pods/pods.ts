import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPONENT = fileURLToPath(new URL('../../../deploy/kubernetes/components/valkey', import.meta.url));
/** The image of the StatefulSet. */
const IMAGE = /image: (\S+)/.exec(readFileSync(`${COMPONENT}/valkey.yaml`, 'utf8'))?.[1] ?? '';
const ADMIN_PASSWORD = 'admin-secret';
export const PLATFORM_PASSWORD = 'platform-secret';

export const hasDocker = (): boolean => spawnSync('docker', ['version']).status === 0;

const docker = (...args: string[]): string =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: 'pipe' }).trim();

/**
 * Runs the scripts of the Valkey component in containers, each with a volume. As in a cluster, a name
 * resolves only while its pod runs, and a pod that starts again has another address.
 */
export const createValkeyPods = () => {
  const prefix = `valkey-pods-${randomInt(1e9)}`;
  const subnet = `10.${randomInt(100, 200)}.${randomInt(256)}`;
  docker('network', 'create', '--subnet', `${subnet}.0/24`, prefix);
  const running = new Set<string>();
  const started = new Set<string>();
  let addresses = 1;

  const start = (name: string): void => {
    const service = name.replace(/-\d+$/, '');
    addresses += 1;
    docker(
      'run',
      ...['--detach', `--name=${prefix}-${name}`, '--user=999:999', '--cap-drop=ALL', '--read-only'],
      ...[`--network=${prefix}`, `--network-alias=${name}.${service}`, `--ip=${subnet}.${addresses}`],
      ...[`--volume=${COMPONENT}:/etc/valkey:ro`, `--volume=${prefix}-${name}:/data`],
      ...['--tmpfs=/run/valkey:mode=1777', `--env=POD_NAME=${name}`, `--env=REDISCLI_AUTH=${ADMIN_PASSWORD}`],
      `--env=VALKEY_ADMIN_PASSWORD=${ADMIN_PASSWORD}`,
      `--env=VALKEY_PLATFORM_PASSWORD=${PLATFORM_PASSWORD}`,
      ...[IMAGE, 'sh', `/etc/valkey/start-${service.replace('valkey-', '')}.sh`],
    );
    running.add(name);
    started.add(name);
  };

  const stop = (name: string, signal: 'SIGKILL' | 'SIGTERM'): void => {
    if (signal === 'SIGTERM') docker('stop', `${prefix}-${name}`);
    docker('rm', '--force', `${prefix}-${name}`);
    running.delete(name);
  };

  /** Runs a command in a running pod, like `kubectl exec`, and returns its output. */
  const exec = (name: string, ...command: string[]): string =>
    spawnSync('docker', ['exec', `${prefix}-${name}`, ...command], { encoding: 'utf8' }).stdout.trim();

  return {
    start,
    stop,
    exec,
    names: () => [...running],
    /** The role that a pod reports, or undefined while it does not respond. */
    getRole: (name: string): string | undefined =>
      exec(name, 'valkey-cli', 'ROLE')
        .split('\n')
        .find((line) => ['master', 'slave'].includes(line)),
    /** The last output of each pod, for error messages. */
    describe: (): string =>
      [...running].map((name) => `${name}: ${docker('logs', '--tail', '1', `${prefix}-${name}`)}`).join('\n'),
    close: (): void => {
      for (const name of running) stop(name, 'SIGKILL');
      docker('volume', 'rm', ...[...started].map((name) => `${prefix}-${name}`));
      docker('network', 'rm', prefix);
    },
  };
};

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const COMPONENT = resolve(import.meta.dirname, '../../deploy/kubernetes/components/valkey');
const PASSWORDS = { VALKEY_ADMIN_PASSWORD: 'admin-secret', VALKEY_PLATFORM_PASSWORD: 'platform-secret' };

/** Names of the programs in the image, and of Debian's packages. */
const findProgram = (name: string): string | undefined =>
  [`valkey-${name}`, `redis-${name}`].find((program) => spawnSync(program, ['--version']).status === 0);

/** Whether this machine can run the pods: as root on Linux, with Valkey or Redis, and with its own mounts. */
export const canRunPods = (): boolean =>
  findProgram('server') !== undefined &&
  findProgram('cli') !== undefined &&
  spawnSync('unshare', ['--mount', 'mount', '--bind', tmpdir(), tmpdir()]).status === 0;

/** All pods share the machine's network, so each program uses only the address of its pod. */
const WRAPPERS: Record<string, string> = {
  'valkey-server': `exec ${findProgram('server')} "$@" --bind "$POD_IP"`,
  'valkey-sentinel': `exec ${findProgram('server')} "$1" --sentinel --bind "$POD_IP"`,
  'valkey-cli': `[ "$1" = -h ] || set -- -h "$POD_IP" "$@"; exec ${findProgram('cli')} "$@"`,
};

const MOUNT_AND_RUN = `
  for folder in usr proc dev; do mount --rbind /$folder $ROOT/$folder; done
  mount --bind $HOSTS $ROOT/etc/hosts
  exec chroot $ROOT "$@"`;

const createRoot = (folder: string): string => {
  const root = mkdtempSync(join(folder, 'root-'));
  for (const path of ['usr', 'proc', 'dev', 'tmp', 'data', 'opt', 'etc', 'run/valkey'])
    mkdirSync(join(root, path), { recursive: true });
  for (const link of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${link}`, join(root, link));
  writeFileSync(join(root, 'etc/hosts'), '');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files\n');
  execFileSync('cp', ['-r', COMPONENT, join(root, 'etc/valkey')]);
  for (const [name, script] of Object.entries(WRAPPERS)) {
    writeFileSync(join(root, 'opt', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'opt', name), 0o755);
  }
  return root;
};

type Pod = {
  root: string;
  address: string;
  lastLine: () => string;
  stop: (signal: NodeJS.Signals) => Promise<void>;
};

/**
 * Runs the scripts of the Valkey component, each pod with its own root file system, volume and address. A name resolves while
 * its pod runs, and a pod that starts again has another address, as in a cluster.
 */
export const createValkeyPods = () => {
  const folder = mkdtempSync(join(tmpdir(), 'valkey-pods-'));
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, '');
  const subnet = `127.${20 + Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 256)}`;
  const roots = new Map<string, string>();
  const pods = new Map<string, Pod>();
  let addresses = 1;

  const updateNames = (): void =>
    writeFileSync(
      hosts,
      [...pods].map(([name, { address }]) => `${address} ${name}.${name.replace(/-\d+$/, '')}\n`).join(''),
    );

  const toCommand = (root: string, name: string, address: string, command: readonly string[]) => {
    const variables = {
      ...PASSWORDS,
      REDISCLI_AUTH: PASSWORDS.VALKEY_ADMIN_PASSWORD,
      POD_NAME: name,
      POD_IP: address,
    };
    const environment = Object.entries(variables).map((entry) => entry.join('='));
    const run = ['env', '-i', 'PATH=/opt:/usr/bin:/bin', ...environment, ...command];
    return ['--mount', 'env', `ROOT=${root}`, `HOSTS=${hosts}`, 'sh', '-ec', MOUNT_AND_RUN, 'sh', ...run];
  };

  const start = (name: string): void => {
    const root = roots.get(name) ?? createRoot(folder);
    roots.set(name, root);
    addresses += 1;
    const address = `${subnet}.${addresses}`;
    const script = name.startsWith('valkey-sentinel') ? 'start-sentinel.sh' : 'start-valkey.sh';
    const args = toCommand(root, name, address, ['sh', `/etc/valkey/${script}`]);
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-2_000);
      });
    const stop = async (signal: NodeJS.Signals): Promise<void> => {
      pods.delete(name);
      updateNames();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    };
    const lastLine = () => output.trimEnd().split('\n').at(-1) ?? '';
    pods.set(name, { root, address, lastLine, stop });
    updateNames();
  };

  /** The output of a command in a running pod, as `kubectl exec`. */
  const exec = (name: string, ...command: string[]): string => {
    const pod = pods.get(name);
    if (!pod) throw new Error(`${name} does not run`);
    const args = toCommand(pod.root, name, pod.address, command);
    return spawnSync('unshare', args, { encoding: 'utf8' }).stdout.trim();
  };

  return {
    start,
    exec,
    names: () => [...pods.keys()],
    stop: async (name: string, signal: NodeJS.Signals): Promise<void> => pods.get(name)?.stop(signal),
    /** The role that a pod reports, or undefined while it does not respond. */
    getRole: (name: string): string | undefined =>
      exec(name, 'valkey-cli', 'ROLE').split('\n')[0] || undefined,
    /** What each pod printed last, for error messages. */
    describe: (): string => [...pods].map(([name, { lastLine }]) => `${name}: ${lastLine()}`).join('\n'),
    close: async (): Promise<void> => {
      await Promise.all([...pods.values()].map(({ stop }) => stop('SIGKILL')));
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

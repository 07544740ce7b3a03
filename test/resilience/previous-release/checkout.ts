import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The commit of the release that may still serve while the next one is deployed; null before the first. */
export const readReleasedCommit = async (): Promise<string | null> => {
  const released = JSON.parse(await readFile(join(ROOT, 'migrate/released.json'), 'utf8'));
  return (released as { commit: string | null }).commit;
};

/** False in a shallow clone. */
export const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;

const run = (command: string, args: readonly string[], cwd: string): void => {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}`);
};

const readLock = (root: string): Promise<string> => readFile(join(root, 'package-lock.json'), 'utf8');

/** The packages of this checkout; the workspaces among them are those of the other one, by relative links. */
const linkPackages = async (root: string): Promise<void> => {
  const [source, target] = [join(ROOT, 'node_modules'), join(root, 'node_modules')];
  await mkdir(target);
  await cp(join(source, '@platform'), join(target, '@platform'), { recursive: true, verbatimSymlinks: true });
  const others = (await readdir(source)).filter((name) => name !== '@platform' && name !== '.cache');
  await Promise.all(others.map((name) => symlink(join(source, name), join(target, name))));
};

type Checkout = { root: string; remove: () => Promise<void> };

/** The commit with its packages, in a temporary directory. */
export const checkOut = async (commit: string): Promise<Checkout> => {
  const root = await mkdtemp(join(tmpdir(), 'platform-previous-'));
  await chmod(root, 0o755);
  const archive = join(root, 'release.tar');
  run('git', ['archive', '--output', archive, commit], ROOT);
  run('tar', ['-xf', archive], root);
  await rm(archive);
  if ((await readLock(root)) === (await readLock(ROOT))) await linkPackages(root);
  else run('npm', ['ci', '--no-audit', '--no-fund'], root);
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
};

import { chmod, copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buildah } from './buildah.ts';
import { run } from './run-command.ts';

const MIRROR = 'http://deb.debian.org/debian';
/** Excluded from the official slim image as well. */
const EXCLUDED = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt', 'var/lib/apt/lists'];

/** `…/node:24.21.0-trixie-slim` is Node 24.21.0 on Debian trixie. */
const readReference = (reference: string) => {
  const [, version, release] = /\/node:([\d.]+)-(\w+)-slim$/.exec(reference) ?? [];
  if (version === undefined || release === undefined)
    throw new Error(`${reference} is not of the form …/node:<version>-<Debian release>-slim`);
  return { version, release };
};

/** Installs npm, which the official image contains, from the configured registry. */
const addNpm = async (root: string, work: string): Promise<void> => {
  const version = await run('npm', ['--version']);
  const archive = await run('npm', ['pack', `npm@${version}`, '--silent', '--pack-destination', work]);
  const folder = join(root, 'usr/local/lib/node_modules/npm');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(work, archive), '-C', folder, '--strip-components=1']);
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
};

/**
 * Builds a replacement of the Dockerfile's base image without an image registry: Debian packages, the pinned Node, npm and
 * the user `node`.
 */
export const buildBaseImage = async (buildah: Buildah, reference: string, work: string): Promise<void> => {
  const { version, release } = readReference(reference);
  if (process.versions.node !== version)
    throw new Error(
      `The Dockerfile uses Node ${version}, but this checkout runs on ${process.versions.node}`,
    );
  const root = join(work, 'base');
  const packages = '--include=ca-certificates,libstdc++6';
  await run('debootstrap', ['--variant=minbase', packages, release, root, MIRROR]);
  await Promise.all(EXCLUDED.map((path) => rm(join(root, path), { recursive: true, force: true })));
  const node = join(root, 'usr/local/bin/node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  await addNpm(root, work);
  await run('chroot', [root, 'groupadd', '--gid', '1000', 'node']);
  await run('chroot', [root, 'useradd', '--uid', '1000', '--gid', '1000', '--create-home', 'node']);
  await buildah.commitFolder(root, reference);
  await rm(root, { recursive: true });
};

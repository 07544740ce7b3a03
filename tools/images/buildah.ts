import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run-command.ts';

/** The runtime configuration of an image. */
export type ImageConfig = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  ExposedPorts?: Record<string, object>;
  Labels?: Record<string, string>;
  Healthcheck?: { Test: string[] };
};

/** A built image with its root file system mounted in a folder. */
export type Image = { target: string; root: string; config: ImageConfig };

/** Values of the Dockerfile's `ARG` instructions. */
export type BuildArguments = Record<string, string>;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** The npm configuration for the build, mounted as a secret: it is part of no layer. */
const writeNpmrc = async (work: string): Promise<string> => {
  const registry = await run('npm', ['config', 'get', 'registry']);
  const path = join(work, 'npmrc');
  await writeFile(path, `registry=${registry}\ncafile=${AUTHORITIES}\nupdate-notifier=false\n`, {
    mode: 0o600,
  });
  return path;
};

/** Builds images without a container engine or daemon, in a separate store in `work`. */
export const createBuildah = async (work: string) => {
  const npmrc = await writeNpmrc(work);
  const store = ['--root', join(work, 'store'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: string[]) => run('buildah', [...store, ...args]);

  return {
    /** Creates an image from a root file system in a folder. */
    commitFolder: async (folder: string, reference: string): Promise<void> => {
      const container = await buildah('from', 'scratch');
      await buildah('add', '--quiet', container, folder, '/');
      await buildah('config', '--env', `PATH=${PATH}`, container);
      await buildah('commit', '--quiet', '--rm', container, reference);
    },
    /** Builds a target of the Dockerfile in `context`. */
    build: async (context: string, target: string, values: BuildArguments): Promise<Image> => {
      const name = `localhost/platform/${target}`;
      const registryOptions = [
        '--secret',
        `id=npmrc,src=${npmrc}`,
        '--volume',
        `${AUTHORITIES}:${AUTHORITIES}:ro`,
      ];
      const buildOptions = [
        ...['--isolation', 'chroot', '--pull=never', '--format', 'docker', '--quiet'],
        ...Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ];
      await buildah('bud', ...buildOptions, ...registryOptions, '--target', target, '--tag', name, context);
      const container = await buildah('from', '--pull=never', name);
      const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name)) as {
        Docker: { config: ImageConfig };
      };
      return { target, root: await buildah('mount', container), config: Docker.config };
    },
  };
};

export type Buildah = Awaited<ReturnType<typeof createBuildah>>;

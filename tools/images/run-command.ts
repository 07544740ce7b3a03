import { spawn } from 'node:child_process';

/** Runs a program and returns its standard output. @throws Error with its complete output when it fails */
export const run = (program: string, args: readonly string[], cwd?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`${program} ${args.join(' ')} exited with ${code}:\n${output}${errors}`));
    });
  });

const REQUIRED = ['buildah', 'debootstrap', 'unshare', 'mount', 'chroot', 'tar', 'npm'];

const isInstalled = (program: string): Promise<boolean> =>
  run('sh', ['-c', 'command -v "$1"', 'sh', program]).then(
    () => true,
    () => false,
  );

/** @throws Error naming the missing programs and how to install them */
export const requireTools = async (): Promise<void> => {
  const present = await Promise.all(REQUIRED.map(isInstalled));
  const missing = REQUIRED.filter((_, index) => !present[index]);
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('Building and running images with chroot needs root on Linux.');
  if (missing.length > 0)
    throw new Error(
      `Not installed: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install --no-install-recommends ` +
        'buildah debootstrap util-linux',
    );
};

import { spawn } from 'node:child_process';

/** Runs a program to its end and returns what it printed. @throws Error with all that it said when it fails */
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
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}${errors}`));
    });
  });

const NEEDED = ['buildah', 'debootstrap', 'unshare', 'mount', 'chroot', 'tar', 'npm'];

const isInstalled = (program: string): Promise<boolean> =>
  run('sh', ['-c', 'command -v "$1"', 'sh', program]).then(
    () => true,
    () => false,
  );

/** @throws Error saying what this machine lacks, and how to get it */
export const requireTools = async (): Promise<void> => {
  const present = await Promise.all(NEEDED.map(isInstalled));
  const missing = NEEDED.filter((_, index) => !present[index]);
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('The images are built and entered with chroot: run this as root on Linux (or in CI).');
  if (missing.length > 0)
    throw new Error(
      `Not installed: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install --no-install-recommends ` +
        'buildah debootstrap util-linux',
    );
};

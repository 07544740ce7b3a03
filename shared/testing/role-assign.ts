import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Settings of the test run itself must not reach the command. */
const UNSET = { DATABASE_URL: '', DATA_DIR: '', ADMIN_ALLOWED_DOMAINS: '' };

/** Runs `npm run role:assign -- …args` and returns its exit code and everything that it printed. */
export const runRoleAssign = async (
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, ['run.mjs', 'auth-service/src/run-role-assign.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...UNSET, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await once(child, 'close');
  return { code: child.exitCode, output };
};

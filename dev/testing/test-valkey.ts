import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startValkey } from '../engines/valkey.ts';
import { reservePorts } from '../ports.ts';

/** Starts a separate Valkey, for tests that kill it or change its settings. */
export const startTestValkey = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-valkey-'));
  const { valkey } = await reservePorts({ valkey: { port: 0, host: '127.0.0.1' } });
  await valkey.release();
  const server = await startValkey({ port: valkey.port, logFile: join(directory, 'valkey.log') });
  const signal = (name: NodeJS.Signals) => {
    const pid = server.pid();
    if (pid !== null) process.kill(pid, name);
  };
  return {
    url: server.url,
    /** Sends kill -9. Valkey is restarted empty on the same port. */
    kill: () => signal('SIGKILL'),
    /** Stops responding but keeps its connections open, until the thaw. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop: async () => {
      signal('SIGCONT');
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export type TestValkey = Awaited<ReturnType<typeof startTestValkey>>;

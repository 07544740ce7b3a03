import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { listenLocally } from '@platform/shared/testing/local-server';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { readDocBlocks } from '../../tools/doc-commands.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const PAGE = 'docs/other-services.md';
const PROGRAM = 'projects.ts';
const READER = 'events.py';
export const SECRET = 'projects-secret-of-the-system-test-000000';
const MAX_LINES = { [PROGRAM]: 80, [READER]: 30 };

const findFreePort = async (): Promise<number> => {
  const { port, close } = await listenLocally(createServer());
  await close();
  return port;
};

/** Installs the programs of the page in a separate folder, as another team would have them. */
const installPrograms = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'other-service-'));
  const blocks = readDocBlocks(await readFile(join(ROOT, PAGE), 'utf8'));
  for (const [name, maxLines] of Object.entries(MAX_LINES)) {
    const lines = blocks.find(({ attribute }) => attribute === name)?.lines ?? [];
    expect(lines.length, name).to.be.within(1, maxLines);
    await writeFile(join(directory, name), lines.join('\n'));
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(directory, 'secret'), `${SECRET}\n`);
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return directory;
};

/** A stack, and behind its gateway the service of the page. */
export const startExampleService = async () => {
  const port = await findFreePort();
  const running: RunningStack = await startStack({
    SERVICES: 'projects',
    SERVICE_PROJECTS_PATHS: '/api/v1/market',
    SERVICE_PROJECTS_URLS: `http://127.0.0.1:${port}`,
    SERVICE_PROJECTS_SECRET: SECRET,
    SERVICE_PROJECTS_SCOPES: 'introspect,users:read,events:read,projects:write,teams:write',
  });
  const directory = await installPrograms();
  const { authUrl, adminUrl } = running.stack;
  const toEnvironment = (database: string) => ({
    PATH: process.env['PATH'],
    AUTH_URL: authUrl,
    ADMIN_URL: adminUrl,
    SECRET_FILE: join(directory, 'secret'),
    DATABASE: join(directory, database),
    PORT: String(port),
  });
  let service: NodeProcess;

  const start = async (): Promise<void> => {
    const environment = toEnvironment('projects.db');
    service = startProcess([join(directory, PROGRAM)], { environment, cwd: directory });
    await waitFor('the service listens', () => {
      if (service.hasExited()) throw new Error(service.output());
      return service.output().includes('Listening');
    });
  };
  await start();

  return {
    stack: running.stack,
    /** The file of the database of the service, or of the reader in Python. */
    getDatabase: (name: 'projects.db' | 'reader.db') => join(directory, name),
    /** Starts the reader in Python, which prints a line for each event. */
    startReader: () => {
      const child = spawn('python3', [join(directory, READER)], { env: toEnvironment('reader.db') });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      return { lines: () => output.split('\n').slice(0, -1), stop: () => void child.kill('SIGKILL') };
    },
    start,
    kill: async (): Promise<void> => {
      service.kill();
      await service.waitForExit();
    },
    stopService: () => service.stop(),
    /** The output since the last start, without the line that says that it listens. */
    output: () => service.output().replace('Listening\n', ''),
    stop: async (): Promise<void> => {
      await service.stop();
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export type ExampleService = Awaited<ReturnType<typeof startExampleService>>;

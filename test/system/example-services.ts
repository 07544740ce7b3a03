import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { createServiceClient, type PlatformEvent, type ServiceClient } from '@platform/client/service';
import { listenLocally } from '@platform/shared/testing/local-server';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
/** The command of each example. */
const COMMANDS = {
  projects: [process.execPath, join(EXAMPLES, 'projects-service/src/main.ts')],
  bids: ['python3', '-B', join(EXAMPLES, 'bids-service/main.py')],
} as const;

type ExampleName = keyof typeof COMMANDS;

const findFreePort = async (): Promise<number> => {
  const { port, close } = await listenLocally(createServer());
  await close();
  return port;
};

/** Runs the command of an example, which can be killed and started again. */
const createExample = (name: ExampleName, environment: Record<string, string>) => {
  const [program, ...args] = COMMANDS[name];
  let child: ChildProcess | undefined;
  let output = '';
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    start: async (): Promise<void> => {
      output = '';
      const started = spawn(program, args, { env: { PATH: process.env['PATH'], ...environment } });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      await waitFor(`${name}-service listens`, () => {
        if (started.exitCode !== null) throw new Error(output);
        return output.includes('listens on port');
      });
    },
    kill: () => end('SIGKILL'),
    /** Lets it hang. */
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    /** Its output since the last start, without the line about listening. */
    output: () => output.replace(/^.* listens on port .*\n/m, ''),
    query: (statement: string): Record<string, unknown>[] => {
      const database = new DatabaseSync(String(environment['DATABASE']), { timeout: 5_000 });
      const rows = database.prepare(statement).all();
      database.close();
      return rows.map((row) => ({ ...row }));
    },
  };
};

const listAll = async <Item>(
  list: (query: { cursor: string | undefined; limit: number }) => Promise<{
    data: Item[];
    nextCursor: string | null;
  }>,
): Promise<Item[]> => {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ cursor, limit: 1_000 });
    items.push(...page.data);
    cursor = page.nextCursor;
  }
  return items;
};

/**
 * A stack that knows the examples by examples/platform.env, on other ports, and one of them behind its gateway.
 */
export const startExample = async (name: ExampleName) => {
  const directory = await mkdtemp(join(tmpdir(), 'example-'));
  const port = String(await findFreePort());
  const settings = parseEnv(await readFile(join(EXAMPLES, 'platform.env'), 'utf8')) as Record<string, string>;
  const running: RunningStack = await startStack({
    ...settings,
    [`SERVICE_${name.toUpperCase()}_URLS`]: `http://127.0.0.1:${port}`,
  });
  const { authUrl, adminUrl, databaseUrl } = running.stack;
  const environment = { AUTH_URL: authUrl, ADMIN_URL: adminUrl, PORT: port };
  const example = createExample(name, { ...environment, DATABASE: join(directory, 'example.db') });
  const connectAs = async (service: ExampleName): Promise<ServiceClient> => {
    const secret = await readFile(join(EXAMPLES, `${service}-service/local-secret`), 'utf8');
    return createServiceClient({ authUrl, adminUrl, name: service, secret: secret.trim() });
  };
  const platform = await connectAs('projects');
  await example.start();

  const readCopy = (table: 'projects' | 'teams') =>
    example.query(`select body from ${table} order by id`).map(({ body }) => JSON.parse(String(body)));
  const readPlatform = (table: 'projects' | 'teams') =>
    table === 'projects' ? listAll(platform.listProjects) : listAll(platform.listTeams);

  return {
    ...example,
    stack: running.stack,
    platform,
    /** A path in the folder of the database. */
    secretFile: join(directory, 'secret'),
    /** Waits until every field of the copy is equal to the platform's. */
    waitForCopy: (table: 'projects' | 'teams') =>
      waitFor(`the copy of the ${table} is right`, async () =>
        isDeepStrictEqual(readCopy(table), await readPlatform(table)),
      ),
    readEvents: async (): Promise<PlatformEvent[]> => {
      const events: PlatformEvent[] = [];
      for await (const { data } of platform.events(undefined, { limit: 1_000 })) {
        events.push(...data);
        if (data.length < 1_000) return events;
      }
      return events;
    },
    /** Deletes all events but the newest, as the cleanup job does with expired ones. */
    expireEvents: () =>
      queryDatabase(
        databaseUrl,
        'delete from events where position < (select max(position) from events where position is not null)',
      ),
    stopAll: async (): Promise<void> => {
      await example.stop();
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export type RunningExample = Awaited<ReturnType<typeof startExample>>;

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient, formatStatus } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Records } from '@platform/shared/testing/records';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';

const HEADERS = { Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
const TEXTS = { title: 'Online shop', description: 'Twelve products.', category: 'WEB' };
const PAUSE_MILLISECONDS = 50;

type Write = { method: string; path: string; body: object };
/** `values` may be stored at the end: the last acknowledged one, or a later one that got no response. */
type Writer = {
  toWrite: (value: string) => Write;
  read: string;
  id: string;
  next: () => string;
  values: string[];
};

const alternate = (one: string, other: string) => {
  let turn = 0;
  return () => {
    turn += 1;
    return turn % 2 === 0 ? one : other;
  };
};

/** No two writers change the same value, so that the last one is known. */
const createWriters = async (records: Records): Promise<Writer[]> => {
  const project = await records.project({ status: 'DRAFT' });
  const team = await records.team({ name: 'Studio' });
  const lead = await records.member(team, { role: 'ADMINISTRATOR' });
  const member = await records.member(team);
  return [
    {
      toWrite: (status) => ({ method: 'PATCH', path: `projects/${project}`, body: { status } }),
      ...{ read: 'select status as value from projects where id = $1', id: project },
      ...{ next: alternate('DRAFT', 'PUBLISHED'), values: ['DRAFT'] },
    },
    {
      toWrite: (name) => ({ method: 'PATCH', path: `teams/${team}`, body: { name } }),
      ...{ read: 'select name as value from teams where id = $1', id: team },
      ...{ next: () => `Studio ${randomUUID().slice(0, 8)}`, values: ['Studio'] },
    },
    ...[lead, member].map((employeeId, index): Writer => {
      const role = index === 0 ? 'ADMINISTRATOR' : 'MEMBER';
      return {
        toWrite: (canSubmit) => ({
          method: 'PUT',
          path: `teams/${team}/members/${employeeId}`,
          body: { role, status: 'ACTIVE', canSign: false, canSubmit: canSubmit === 'true' },
        }),
        ...{
          read: 'select can_submit::text as value from team_members where employee_id = $1',
          id: employeeId,
        },
        ...{ next: alternate('false', 'true'), values: ['false'] },
      };
    }),
  ];
};

/**
 * Starts five writers with the credentials of another service: four change a project, a team and its members,
 * and one creates projects. Requests may fail. `adminUrls` are the instances of admin-service.
 */
export const startServiceWriters = async (records: Records, adminUrls: () => readonly string[]) => {
  const { id: ownerId } = await records.user(['CUSTOMER']);
  const writers = await createWriters(records);
  const created: string[] = [];
  const unexpected: string[] = [];
  let isStopped = false;
  let turn = 0;

  /** Whether the write was acknowledged. Only a missing platform explains another response. */
  const send = async ({ method, path, body }: Write): Promise<boolean> => {
    const urls = adminUrls();
    turn += 1;
    const client = createHttpClient(urls[turn % urls.length] ?? '', { timeoutSeconds: 15 });
    const response = await client.send({ method, path: `/internal/v1/${path}`, headers: HEADERS, body });
    const isAcknowledged = response.status === 200 || response.status === 201;
    if (!(isAcknowledged || [0, 503].includes(response.status)))
      unexpected.push(`${method} ${path}: ${formatStatus(response)}`);
    return isAcknowledged;
  };
  const change = async (writer: Writer): Promise<void> => {
    const value = writer.next();
    writer.values.push(value);
    if (await send(writer.toWrite(value))) writer.values = [value];
  };
  const create = async (): Promise<void> => {
    const id = randomUUID();
    if (await send({ method: 'PUT', path: `projects/${id}`, body: { ownerId, ...TEXTS } })) created.push(id);
  };
  const repeat = async (write: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      await write();
      await delay(PAUSE_MILLISECONDS);
    }
  };
  const running = Promise.all([create, ...writers.map((writer) => () => change(writer))].map(repeat));
  return {
    stop: async (): Promise<void> => {
      isStopped = true;
      await running;
    },
    /** Describes acknowledged writes that the database does not have, and responses that no fault explains. */
    findProblems: async (databaseUrl: string): Promise<string[]> => {
      const problems = created.length > 0 ? [...unexpected] : [...unexpected, 'no project was created'];
      for (const { read, id, values } of writers) {
        const [row] = await queryDatabase<{ value: string }>(databaseUrl, read, [id]);
        if (!values.includes(row?.value ?? '')) problems.push(`${id}: ${row?.value} is none of ${values}`);
      }
      const text = 'select id from projects where id = any($1)';
      const found = new Set(
        (await queryDatabase<{ id: string }>(databaseUrl, text, [created])).map(({ id }) => id),
      );
      return [...problems, ...created.filter((id) => !found.has(id)).map((id) => `project ${id} is lost`)];
    },
  };
};

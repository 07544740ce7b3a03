import { randomUUID } from 'node:crypto';
import { ADVISORY_LOCKS } from '@platform/shared/db/advisory-locks';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Event = { id: string; subject: string; type: string; data: object };
type Query = { after?: string; limit?: number; wait?: number };

const INSERT = "insert into events (type, subject, data) values ('user.blocked', $1, $2)";

describe('events for other services', () => {
  const service = useAdminService({ ...SERVICE_ENVIRONMENT, PUBLIC_URL: 'https://api.example.com/' });
  const client = () => createServiceClient(service().url);
  const send = (query: Query) => client().listEvents({ query });
  const read = async (query: Query): Promise<{ data: Event[]; next: string }> => {
    const response = await send(query);
    expect(response.status, response.text).to.equal(200);
    return response.body;
  };
  const subjectsAfter = async (after: string) => (await read({ after })).data.map(({ subject }) => subject);
  const add = async (subject: string = randomUUID(), data = {}): Promise<string> => {
    await service().records.query(INSERT, [subject, data]);
    return subject;
  };
  /** The cursor of a reader that has read everything. */
  const readToEnd = async (): Promise<string> => (await read({ limit: 1000 })).next;

  it('are empty at first, with a cursor', async () => {
    const first = await read({});
    expect(first.data).to.deep.equal([]);
    const subject = await add();
    expect(await subjectsAfter(first.next)).to.deep.equal([subject]);
    expect((await read({})).data).to.have.length(1);
  });

  it('are CloudEvents', async () => {
    const after = await readToEnd();
    const subject = await add(randomUUID(), { fields: ['title'] });
    const [event] = (await read({ after })).data;
    const { id, time, ...rest } = event as Event & { time: string };
    expect(rest).to.deep.equal({
      specversion: '1.0',
      source: 'https://api.example.com',
      type: 'user.blocked',
      subject,
      data: { fields: ['title'] },
    });
    expect(id).to.match(/^[0-9a-f-]{36}$/);
    expect(Date.parse(time)).to.be.closeTo(Date.now(), 60_000);
  });

  it('are read in pages, the same at each reading', async () => {
    const start = await readToEnd();
    const subjects = [await add(), await add(), await add()];
    for (const _ of [1, 2]) {
      const first = await read({ after: start, limit: 2 });
      const second = await read({ after: first.next, limit: 2 });
      expect([...first.data, ...second.data].map(({ subject }) => subject)).to.deep.equal(subjects);
      const last = await read({ after: second.next, limit: 2 });
      expect(last).to.deep.equal({ data: [], next: second.next });
    }
  });

  it('of a transaction that commits after a later one are not skipped', async () => {
    const start = await readToEnd();
    const slow = randomUUID();
    const open = await holdLock(service().databaseUrl, INSERT, [slow, {}]);
    const fast = await add();
    const first = await read({ after: start });
    expect(first.data.map(({ subject }) => subject)).to.deep.equal([fast]);
    await open.commit();
    expect(await subjectsAfter(first.next)).to.deep.equal([slow]);
    expect(await subjectsAfter(start)).to.deep.equal([fast, slow]);
  });

  it('are read without waiting for a change of platform roles', async () => {
    const start = await readToEnd();
    const subject = await add();
    const change = await holdLock(service().databaseUrl, 'select pg_advisory_xact_lock($1)', [
      ADVISORY_LOCKS.administrators,
    ]);
    expect(await subjectsAfter(start)).to.deep.equal([subject]);
    await change.release();
  });

  it('that are rolled back do not appear', async () => {
    const start = await readToEnd();
    const open = await holdLock(service().databaseUrl, INSERT, [randomUUID(), {}]);
    await open.release();
    expect(await subjectsAfter(start)).to.deep.equal([]);
  });

  it('get each position once when services read at the same time', async () => {
    const start = await readToEnd();
    for (let round = 0; round < 5; round += 1) {
      await service().records.query(
        `insert into events (type, subject) select 'user.blocked', gen_random_uuid() from generate_series(1, 100)`,
      );
      await Promise.all([1, 2, 3, 4].map(() => read({ after: start, limit: 1 })));
    }
    const { data } = await read({ after: start, limit: 1000 });
    expect(new Set(data.map(({ id }) => id)).size).to.equal(500);
    const [gaps] = await service().records.query<{ gaps: number }>(
      'select (max(position) - min(position) + 1 - count(*))::int as gaps from events',
    );
    expect(gaps).to.deep.equal({ gaps: 0 });
  });

  it('return 410 for a cursor that the database does not know or that has expired', async () => {
    expectError(await send({ after: randomUUID() }), 410, 'EVENTS_EXPIRED');
    const start = await readToEnd();
    await add();
    await read({ after: start });
    await service().records.query('delete from events where cursor = $1', [start]);
    expectError(await send({ after: start }), 410, 'EVENTS_EXPIRED');
  });

  it('are returned as soon as they appear while a request waits', async () => {
    const after = await readToEnd();
    const waiting = read({ after, wait: 25 });
    const subject = await add();
    expect((await waiting).data.map((event) => event.subject)).to.deep.equal([subject]);
  });

  it('are an empty list when none appears during the wait', async () => {
    const after = await readToEnd();
    const started = performance.now();
    expect(await read({ after, wait: 1 })).to.deep.equal({ data: [], next: after });
    expect(performance.now() - started).to.be.at.least(990);
  });

  it('can be awaited by more readers than there are connections', async () => {
    const after = await readToEnd();
    const waiting = Array.from({ length: 30 }, () => read({ after, wait: 25 }));
    expect((await client().findUsers({ query: { id: randomUUID() } })).status).to.equal(200);
    const subject = await add();
    for (const { data } of await Promise.all(waiting))
      expect(data.map((event) => event.subject)).to.deep.equal([subject]);
  });

  it('return 400 for invalid parameters', async () => {
    for (const [name, value] of [
      ['after', '1'],
      ['limit', 0],
      ['limit', 1001],
      ['wait', 26],
      ['wait', 0.5],
    ] as const)
      expectError(await send({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });
});

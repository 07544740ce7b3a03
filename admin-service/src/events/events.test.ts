import { randomUUID } from 'node:crypto';
import { ADVISORY_LOCKS } from '@platform/shared/db/advisory-locks';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Event = { id: string; subject: string; type: string; data: object };
type Query = { after?: string; limit?: number; wait?: number; type?: string | string[] };

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
      causedby: 'platform',
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

  describe('with a filter of types', () => {
    const ALSO =
      'insert into events (type, subject) select $1, gen_random_uuid() from generate_series(1, $2::int)';
    const addOf = (type: string, count = 1) => service().records.query(ALSO, [type, count]);
    const typesOf = ({ data }: { data: Event[] }) => data.map(({ type }) => type);

    it('are those alone, in order, and `next` moves past the others', async () => {
      const after = await readToEnd();
      for (const type of ['user.deleted', 'user.blocked', 'team.edited', 'user.deleted', 'user.blocked'])
        await addOf(type);
      const type = ['user.deleted', 'team.edited', 'user.deleted'];
      const first = await read({ after, type, limit: 2 });
      expect(typesOf(first)).to.deep.equal(['user.deleted', 'team.edited']);
      const second = await read({ after: first.next, type, limit: 2 });
      expect(typesOf(second)).to.deep.equal(['user.deleted']);
      expect(await read({ after: second.next })).to.deep.equal({ data: [], next: second.next });
      const none = await read({ after, type: 'no.such-type' });
      expect(none).to.deep.equal({ data: [], next: second.next });
    });

    it('are found behind thousands of others, which are not numbered yet', async () => {
      const after = await readToEnd();
      await addOf('user.blocked', 10_500);
      // Autovacuum does this later; the statements were planned for an empty table.
      await service().records.query('analyze events');
      await addOf('team.verified');
      const page = await read({ after, type: 'team.verified', wait: 25 });
      expect(typesOf(page)).to.deep.equal(['team.verified']);
      // Now all of them are numbered, which are more than one query looks at.
      expect(await read({ after, type: 'team.verified' })).to.deep.equal(page);
    });

    it('end a wait only when one of the types appears', async () => {
      const after = (await read({ type: 'no.such-type', wait: 1 })).next;
      const waiting = read({ after, type: 'user.deleted', wait: 25 });
      await addOf('user.blocked');
      const passed = await read({ after, type: 'user.deleted', wait: 1 });
      expect(passed.data).to.deep.equal([]);
      expect(passed.next).not.to.equal(after);
      await addOf('user.deleted');
      expect(typesOf(await waiting)).to.deep.equal(['user.deleted']);
    });

    it('are 400 for more than 30 types, none, or another form', async () => {
      const many = Array.from({ length: 31 }, (_, index) => `type.${'x'.repeat(index + 1)}`);
      expect((await send({ type: many.slice(1) })).status).to.equal(200);
      for (const type of [many, '', 'User.deleted', 'user_deleted', `x${'.'.repeat(64)}`]) {
        const { status, body } = await send({ type });
        expect([status, body.code], String(type)).to.deep.equal([400, 'VALIDATION_FAILED']);
      }
    });
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

import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService, type withQuery } from '../../testing/admin-service.ts';

const LOG = '/administrator/audit-log';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
type Entry = {
  action?: string;
  actorId?: string | null;
  targetType?: string;
  targetId?: string;
  createdAt?: Date;
  details?: object;
};
type Query = Parameters<typeof withQuery>[1];

describe('audit log', () => {
  const service = useAdminService();
  const admin = () => service().administrator;
  const list = (query: Query = {}): Promise<HttpResponse> => admin().listAuditLog({ query });

  /** Inserts a record as the services do, with any time; returns its id. */
  const insert = async (entry: Entry = {}): Promise<string> => {
    const { action = 'USER_BLOCKED', actorId = null, targetType = 'USER', targetId = randomUUID() } = entry;
    const [row] = await service().records.query<{ id: string }>(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
       values ($1, $2, $3, $4, 'request-1', '203.0.113.7', $5, coalesce($6, now())) returning id`,
      [action, actorId, targetType, targetId, JSON.stringify(entry.details ?? {}), entry.createdAt],
    );
    return row?.id ?? '';
  };
  /** Inserts records of one target, newest first, one minute apart. */
  const insertMany = async (
    count: number,
    entry: Entry = {},
  ): Promise<{ targetId: string; ids: string[] }> => {
    const targetId = randomUUID();
    const ids: string[] = [];
    for (let minute = 1; minute <= count; minute += 1)
      ids.push(await insert({ targetId, createdAt: minutesAgo(minute), ...entry }));
    return { targetId, ids };
  };

  describe('records', () => {
    it('lists a block and an unblock, newest first, with the request that caused them', async () => {
      const { withToken, records } = service();
      const { id } = await records.user(['CUSTOMER'], { firstName: 'Ada', lastName: 'Lovelace' });
      const headers = { 'X-Request-Id': `block-${id}`, 'X-Forwarded-For': '203.0.113.9' };
      expect((await withToken(admin().token).blockUser({ id, headers })).status).to.equal(200);
      expect((await withToken(admin().token).unblockUser({ id })).status).to.equal(200);
      const { status, body } = await list({ targetId: id });
      expect(status).to.equal(200);
      expect(body).to.include({ nextCursor: null });
      const [unblocked, blocked] = body.data;
      expect(unblocked).to.include({ action: 'USER_UNBLOCKED', targetId: id });
      const { id: entryId, createdAt, ...entry } = blocked;
      expect(entryId).to.match(UUID);
      expect(Date.now() - Date.parse(createdAt)).to.be.within(0, 60_000);
      expect(entry).to.deep.equal({
        action: 'USER_BLOCKED',
        actorId: admin().id,
        actorEmail: admin().email,
        actorName: null,
        actorPlatformRole: 'ADMIN',
        targetType: 'USER',
        targetId: id,
        targetName: 'Ada Lovelace',
        user: null,
        requestId: `block-${id}`,
        address: '203.0.113.9',
        details: {},
      });
    });

    it('names the target as it is now', async () => {
      const { records } = service();
      const [email, other] = [uniqueEmail(), uniqueEmail()];
      const invited = await admin().invite({ body: { email, role: 'OPERATOR' } });
      const [form] = await records.query<{ id: string }>(
        "insert into support_requests (email, subject, message) values ($1, 'Sign-in', 'Help') returning id",
        [other],
      );
      const [lead] = await records.query<{ id: string }>(
        "insert into lead_requests (name, email) values ('Ada', $1) returning id",
        [other],
      );
      for (const [targetType, targetId, targetName] of [
        ['INVITATION', invited.body.id, email],
        ['CONTACT_REQUEST', form?.id, other],
        ['CONTACT_REQUEST', lead?.id, other],
        ['CONTACT_REQUEST', randomUUID(), null],
        ['MAIL', randomUUID(), null],
      ] as const) {
        await insert({ targetType, targetId });
        expect((await list({ targetId })).body.data[0]).to.deep.include({ targetType, targetName });
      }
    });

    it('name a user by the name in a profile, or else by the e-mail', async () => {
      const { records } = service();
      const [named, unnamed] = [
        await records.user(['EMPLOYEE'], { firstName: 'Grace', lastName: 'Hopper' }),
        await records.user(['OPERATOR']),
      ];
      for (const [{ id: targetId }, targetName] of [
        [named, 'Grace Hopper'],
        [unnamed, unnamed.email],
      ] as const) {
        await insert({ targetId });
        expect((await list({ targetId })).body.data[0]).to.include({ targetName });
      }
    });

    it('name the user whom a record about something else concerns', async () => {
      const { records } = service();
      const { id, email } = await records.user(['OPERATOR']);
      const deleted = (await records.user(['CUSTOMER'])).id;
      await records.deleteAccount(deleted);
      const find = async (details: object, targetId: string = randomUUID()) => {
        await insert({ targetType: 'MAIL', targetId, details });
        return (await list({ targetId })).body.data[0].user;
      };
      expect(await find({ userId: id })).to.deep.equal({ id, name: email });
      expect(await find({ userId: deleted })).to.deep.equal({ id: deleted, name: null });
      for (const userId of [undefined, 'none', randomUUID()]) expect(await find({ userId })).to.equal(null);
      expect(await find({ userId: id }, id)).to.equal(null);
    });

    it('need not have a target', async () => {
      const actorId = randomUUID();
      await service().records.query(
        `insert into audit_records (action, actor_id, request_id, address)
         values ('SIGN_IN_FAILED', $1, 'request-1', '203.0.113.7')`,
        [actorId],
      );
      const nothing = { targetType: null, targetId: null, targetName: null, user: null };
      expect((await list({ actorId })).body.data[0]).to.include(nothing);
    });

    it('list no actor when nobody was signed in', async () => {
      for (const action of [
        'SIGN_IN_FAILED',
        'REFRESH_TOKEN_REUSED',
        'ROLE_ASSIGNED',
        'ADMINISTRATOR_REGISTERED',
      ]) {
        const targetId = randomUUID();
        await insert({ action, targetId, details: { kind: 'customer', role: 'ARBITER', count: 1 } });
        const { body } = await list({ targetId });
        expect(body.data[0]).to.deep.include({
          action,
          actorId: null,
          details: { kind: 'customer', role: 'ARBITER', count: 1 },
        });
      }
    });
  });

  describe('pagination', () => {
    /** The ids of all pages, from the one at `cursor`; `afterPage` runs after each page. */
    const listAll = async (query: Query, cursor?: string, afterPage?: () => Promise<unknown>) => {
      const pages: string[][] = [];
      for (let next: string | null | undefined = cursor; next !== null; ) {
        const { body } = await list({ ...query, ...(next !== undefined && { cursor: next }) });
        pages.push(body.data.map(({ id }: { id: string }) => id));
        next = body.nextCursor;
        await afterPage?.();
      }
      return pages;
    };

    it('returns each of twelve records once on pages of five, newest first', async () => {
      const { targetId, ids } = await insertMany(12);
      const pages = await listAll({ targetId, perPage: 5 });
      expect(pages.map(({ length }) => length)).to.deep.equal([5, 5, 2]);
      expect(pages.flat()).to.deep.equal(ids);
    });

    it('pages records of one moment before an end, and ends at it behind a cursor', async () => {
      const targetId = randomUUID();
      const createdAt = new Date('2025-03-01T10:00:00.000Z');
      const ids = await Promise.all([1, 2, 3].map(() => insert({ targetId, createdAt })));
      const query = { targetId, perPage: 1 };
      const pages = await listAll({ ...query, until: '2025-03-01T11:00:00.000Z' });
      expect(pages.flat()).to.have.members(ids);
      const cursor = (await list(query)).body.nextCursor;
      expect(getIds(await list({ ...query, until: createdAt.toISOString(), cursor }))).to.deep.equal([]);
    });

    it('returns no cursor after a last page that is full', async () => {
      const { targetId, ids } = await insertMany(4);
      expect(await listAll({ targetId, perPage: 2 })).to.deep.equal([ids.slice(0, 2), ids.slice(2)]);
    });

    it('continues after the same record although newer ones are added', async () => {
      const { targetId, ids } = await insertMany(6);
      const pages = await listAll({ targetId, perPage: 2 }, undefined, () => insert({ targetId }));
      expect(pages.flat()).to.deep.equal(ids);
    });

    it('continues at a cursor whose record no longer exists', async () => {
      const { targetId, ids } = await insertMany(3);
      const { nextCursor } = (await list({ targetId, perPage: 1 })).body;
      await service().records.query('delete from audit_records where id = $1', [ids[0]]);
      expect(await listAll({ targetId }, nextCursor)).to.deep.equal([ids.slice(1)]);
    });

    it('sorts records of the same time by id, descending, and those within a millisecond by time', async () => {
      const { targetId, ids } = await insertMany(6, { createdAt: minutesAgo(3) });
      const [first = '', ...others] = ids.toSorted();
      const later =
        "update audit_records set created_at = created_at + interval '1 microsecond' where id = $1";
      await service().records.query(later, [first]);
      const pages = await listAll({ targetId, perPage: 1 });
      expect(pages.flat()).to.deep.equal([first, ...others.toReversed()]);
    });

    it('defaults to ten records', async () => {
      const { targetId, ids } = await insertMany(11);
      expect(getIds(await list({ targetId }))).to.deep.equal(ids.slice(0, 10));
    });

    const position = (at: string, id: string) => Buffer.from(`${at} ${id}`).toString('base64url');
    const malformed: Query[] = [
      { page: 1 },
      { perPage: 0 },
      { perPage: 101 },
      { perPage: '' },
      { cursor: '' },
      { cursor: 'x' },
      { cursor: 'x'.repeat(300) },
      { cursor: position('2026-01-01T00:00:00.000000Z', 'x') },
      { cursor: position("2026-01-01T00:00:00.000000Z' or 1=1", randomUUID()) },
    ];
    for (const query of malformed)
      it(`returns 400 for ${JSON.stringify(query).slice(0, 70)}`, async () => {
        expectError(await list(query), 400, 'VALIDATION_FAILED', `/query/${Object.keys(query)[0]}`);
      });

    it('returns 400 for a cursor with a time that does not exist', async () => {
      for (const at of ['2026-13-01T00:00', '2026-02-31T00:00', '2026-01-01T25:00', '0000-01-01T00:00'])
        expectError(
          await list({ cursor: position(`${at}:00.000000Z`, randomUUID()) }),
          400,
          'VALIDATION_FAILED',
        );
    });
  });

  describe('filters', () => {
    it('filters by actor', async () => {
      const [actorId, other] = [randomUUID(), randomUUID()];
      const { ids } = await insertMany(3, { actorId });
      await insertMany(2, { actorId: other });
      const response = await list({ actorId });
      expect(getIds(response)).to.deep.equal(ids);
      expect(getIds(await list({ actorId: actorId.toUpperCase() }))).to.deep.equal(ids);
    });

    it('filters by action', async () => {
      const targetId = randomUUID();
      const failed = await insert({ targetId, action: 'SIGN_IN_FAILED' });
      const reused = await insert({ targetId, action: 'REFRESH_TOKEN_REUSED' });
      expect(getIds(await list({ targetId, action: 'SIGN_IN_FAILED' }))).to.deep.equal([failed]);
      expect(getIds(await list({ targetId, action: 'REFRESH_TOKEN_REUSED' }))).to.deep.equal([reused]);
      expect(getIds(await list({ targetId, action: 'USER_BLOCKED' }))).to.deep.equal([]);
    });

    it('filters by target, which need not be a UUID', async () => {
      const targetId = `unknown-${randomUUID()}`;
      const id = await insert({ targetId, action: 'SIGN_IN_FAILED' });
      expect(getIds(await list({ targetId }))).to.deep.equal([id]);
      expect(getIds(await list({ targetId: `${targetId}%` }))).to.deep.equal([]);
      expect(getIds(await list({ targetId: targetId.slice(0, 20) }))).to.deep.equal([]);
    });

    it('filters by time, from inclusive and until exclusive', async () => {
      const moments = ['10:00:00.000Z', '11:00:00.000Z', '12:00:00.000Z'].map((time) => `2025-03-01T${time}`);
      const targetId = randomUUID();
      const [ten = '', eleven = '', twelve = ''] = await Promise.all(
        moments.map((moment) => insert({ targetId, createdAt: new Date(moment) })),
      );
      const [at10 = '', at11 = '', at12 = ''] = moments;
      const found = async (query: Query) => getIds(await list({ targetId, ...query }));
      expect(await found({ from: at11 })).to.deep.equal([twelve, eleven]);
      expect(await found({ until: at11 })).to.deep.equal([ten]);
      expect(await found({ from: at10, until: at12 })).to.deep.equal([eleven, ten]);
      expect(await found({ from: at12, until: at10 })).to.deep.equal([]);
      expect(await found({ from: '2025-03-01T12:00:00+01:00', until: at12 })).to.deep.equal([eleven]);
      expect(await found({ from: '2025-03-01T06:00-05:00' })).to.deep.equal([twelve, eleven]);
    });

    it('accepts the earliest and the latest times of RFC 3339', async () => {
      const { targetId, ids } = await insertMany(1);
      for (const early of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59']) {
        expect(getIds(await list({ targetId, from: early }))).to.deep.equal(ids);
        expect(getIds(await list({ targetId, until: early }))).to.deep.equal([]);
      }
      expect(getIds(await list({ targetId, until: '9999-12-31T23:59:59-23:59' }))).to.deep.equal(ids);
    });

    it('combines all filters', async () => {
      const [actorId, targetId] = [randomUUID(), randomUUID()];
      const id = await insert({ actorId, targetId, action: 'TEAM_VERIFIED', createdAt: minutesAgo(30) });
      const all = {
        actorId,
        targetId,
        action: 'TEAM_VERIFIED',
        from: minutesAgo(31).toISOString(),
        until: minutesAgo(29).toISOString(),
      };
      expect(getIds(await list(all))).to.deep.equal([id]);
      for (const other of [
        { actorId: randomUUID() },
        { targetId: randomUUID() },
        { action: 'USER_BLOCKED' },
        { from: minutesAgo(29).toISOString() },
        { until: minutesAgo(31).toISOString() },
      ])
        expect((await list({ ...all, ...other })).body).to.deep.equal({ data: [], nextCursor: null });
    });

    const malformed: [string, string][] = [
      ['actorId', 'me'],
      ['actorId', "' or 1=1 --"],
      ['targetId', ''],
      ['targetId', 'x'.repeat(65)],
      ['from', 'yesterday'],
      ['from', '2026-11-01'],
      ['from', '2026-11-01T00:00:00'],
      ['from', '2026-13-01T00:00:00Z'],
      ['from', '2026-02-32T00:00:00Z'],
      ['until', '1762000000'],
      ['until', ''],
      ['actor', randomUUID()],
      ['__proto__', 'x'],
    ];
    for (const [name, value] of malformed)
      it(`returns 400 for ${name}=${value.slice(0, 30)}`, async () => {
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
      });

    it('returns 400 for a repeated filter', async () => {
      const ids = [randomUUID(), randomUUID()].map((id) => `actorId=${id}`).join('&');
      expectError(await admin().send('GET', `${LOG}?${ids}`), 400, 'VALIDATION_FAILED', '/query/actorId');
    });
  });
});

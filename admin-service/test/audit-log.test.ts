import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { idsOf, useAdministrator, useAdminService, withQuery } from './admin-service.ts';

const LOG = '/administrator/audit-log';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

type Entry = {
  action?: string;
  actorId?: string | null;
  targetType?: string;
  targetId?: string;
  createdAt?: Date;
  details?: object;
};
type Query = Parameters<typeof withQuery>[1];

describe('The audit log', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);
  const list = (query: Query = {}): Promise<HttpResponse> => admin().api.get(withQuery(LOG, query));

  /** As the services write it, at any time. Returns the entry's id. */
  const write = async (entry: Entry = {}): Promise<string> => {
    const { action = 'USER_BLOCKED', actorId = null, targetType = 'USER', targetId = randomUUID() } = entry;
    const [row] = await service().records.query<{ id: string }>(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
       values ($1, $2, $3, $4, 'request-1', '203.0.113.7', $5, coalesce($6, now())) returning id`,
      [action, actorId, targetType, targetId, JSON.stringify(entry.details ?? {}), entry.createdAt],
    );
    return row?.id ?? '';
  };
  /** Entries about one target, the newest first, a minute between them. */
  const writeMany = async (
    count: number,
    entry: Entry = {},
  ): Promise<{ targetId: string; ids: string[] }> => {
    const targetId = randomUUID();
    const ids: string[] = [];
    for (let minute = 1; minute <= count; minute += 1)
      ids.push(await write({ targetId, createdAt: minutesAgo(minute), ...entry }));
    return { targetId, ids };
  };

  describe('tells who did what', () => {
    it('When a user is blocked and unblocked, then both are there, the later first, with the request that did it', async () => {
      const { api, records } = service();
      const { id } = await records.user(['CUSTOMER']);
      const headers = { 'X-Request-Id': `block-${id}`, 'X-Forwarded-For': '203.0.113.9' };
      expect((await api(admin().token).patch(`/users/${id}/block`, undefined, headers)).status).to.equal(200);
      expect((await api(admin().token).patch(`/users/${id}/unblock`)).status).to.equal(200);
      const { status, body } = await list({ targetId: id });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ total: 2, page: 1, perPage: 10 });
      const [unblocked, blocked] = body.data;
      expect(unblocked).to.include({ action: 'USER_UNBLOCKED', targetId: id });
      const { id: entryId, createdAt, ...entry } = blocked;
      expect(entryId).to.match(UUID);
      expect(Date.now() - Date.parse(createdAt)).to.be.within(0, 20_000);
      expect(entry).to.deep.equal({
        action: 'USER_BLOCKED',
        actorId: admin().id,
        targetType: 'USER',
        targetId: id,
        requestId: `block-${id}`,
        address: '203.0.113.9',
        details: {},
      });
    });

    it('When a project is edited, deleted and restored, then each is there, and the edit names the fields', async () => {
      const { records } = service();
      const { id: ownerId } = await records.user(['CUSTOMER']);
      const [row] = await records.query<{ id: string }>(
        `insert into projects (owner_id, title, description, category) values ($1, 'Shop', 'A shop.', 'WEB') returning id`,
        [ownerId],
      );
      const path = `/projects/${row?.id}`;
      expect((await admin().api.patch(path, { title: 'A better shop' })).status).to.equal(200);
      expect((await admin().api.delete(path)).status).to.equal(204);
      expect((await admin().api.patch(`${path}/restore`)).status).to.equal(200);
      const { body } = await list({ targetId: row?.id ?? '' });
      expect(body.data.map(({ action }: { action: string }) => action)).to.deep.equal([
        'PROJECT_RESTORED',
        'PROJECT_DELETED',
        'PROJECT_EDITED',
      ]);
      expect(body.data[2]).to.deep.include({
        targetType: 'PROJECT',
        details: { fields: ['title'], changes: { title: { from: 'Shop', to: 'A better shop' } } },
      });
    });

    it('When what was asked for is refused, then nothing is there', async () => {
      const { id } = await service().records.user(['ADMIN']);
      expectError(await admin().api.patch(`/users/${id}/block`), 403, 'USER_IS_ADMIN');
      expect((await list({ targetId: id })).body).to.deep.include({ data: [], total: 0 });
    });

    it('When it was done by nobody who was signed in, then it has no actor: a failed sign-in, a reused token, a role from the command line', async () => {
      for (const action of [
        'SIGN_IN_FAILED',
        'REFRESH_TOKEN_REUSED',
        'ROLE_ASSIGNED',
        'ADMINISTRATOR_REGISTERED',
      ]) {
        const targetId = randomUUID();
        await write({ action, targetId, details: { kind: 'customer', role: 'ARBITER', count: 1 } });
        const { body } = await list({ targetId });
        expect(body.data[0]).to.deep.include({
          action,
          actorId: null,
          details: { kind: 'customer', role: 'ARBITER', count: 1 },
        });
      }
    });
  });

  describe('is a list of pages', () => {
    it('When there are twelve, then pages of five hold each of them once, the newest first', async () => {
      const { targetId, ids } = await writeMany(12);
      const pages = [1, 2, 3, 4].map((page) => list({ targetId, page, perPage: 5 }));
      const answers = await Promise.all(pages);
      expect(
        answers.map(({ body }) => [body.total, body.page, body.perPage, body.data.length]),
      ).to.deep.equal([
        [12, 1, 5, 5],
        [12, 2, 5, 5],
        [12, 3, 5, 2],
        [12, 4, 5, 0],
      ]);
      expect(answers.flatMap(idsOf)).to.deep.equal(ids);
    });

    it('When some are of the same moment, then their ids decide, descending', async () => {
      const { targetId, ids } = await writeMany(6, { createdAt: minutesAgo(3) });
      const found = [
        ...idsOf(await list({ targetId, perPage: 4 })),
        ...idsOf(await list({ targetId, perPage: 4, page: 2 })),
      ];
      expect(found).to.deep.equal(ids.toSorted().toReversed());
    });

    it('When nothing is said, then the first ten come', async () => {
      const { targetId, ids } = await writeMany(11);
      const answer = await list({ targetId });
      expect(answer.body).to.deep.include({ total: 11, page: 1, perPage: 10 });
      expect(idsOf(answer)).to.deep.equal(ids.slice(0, 10));
    });

    for (const query of [
      { page: 0 },
      { page: 'x' },
      { page: 1.5 },
      { perPage: 0 },
      { perPage: 101 },
      { perPage: '' },
    ])
      it(`refuses ${JSON.stringify(query)}`, async () => {
        expectError(await list(query as Query), 400, 'VALIDATION_FAILED', `/query/${Object.keys(query)[0]}`);
      });
  });

  describe('has filters', () => {
    it('When an actor is named, then only what they did is listed', async () => {
      const [actorId, other] = [randomUUID(), randomUUID()];
      const { ids } = await writeMany(3, { actorId });
      await writeMany(2, { actorId: other });
      const answer = await list({ actorId });
      expect(answer.body.total).to.equal(3);
      expect(idsOf(answer)).to.deep.equal(ids);
      expect(idsOf(await list({ actorId: actorId.toUpperCase() }))).to.deep.equal(ids);
    });

    it('When an action is named, then only such are listed', async () => {
      const targetId = randomUUID();
      const failed = await write({ targetId, action: 'SIGN_IN_FAILED' });
      const reused = await write({ targetId, action: 'REFRESH_TOKEN_REUSED' });
      expect(idsOf(await list({ targetId, action: 'SIGN_IN_FAILED' }))).to.deep.equal([failed]);
      expect(idsOf(await list({ targetId, action: 'REFRESH_TOKEN_REUSED' }))).to.deep.equal([reused]);
      expect(idsOf(await list({ targetId, action: 'USER_BLOCKED' }))).to.deep.equal([]);
    });

    it('When a target is named, be it no UUID, then only what was done to it is listed', async () => {
      const targetId = `unknown-${randomUUID()}`;
      const id = await write({ targetId, action: 'SIGN_IN_FAILED' });
      expect(idsOf(await list({ targetId }))).to.deep.equal([id]);
      expect(idsOf(await list({ targetId: `${targetId}%` }))).to.deep.equal([]);
      expect(idsOf(await list({ targetId: targetId.slice(0, 20) }))).to.deep.equal([]);
    });

    it('When a time is named, then it lists from that moment on, and until the other one, which is left out', async () => {
      const moments = ['10:00:00.000Z', '11:00:00.000Z', '12:00:00.000Z'].map((time) => `2025-03-01T${time}`);
      const targetId = randomUUID();
      const [ten = '', eleven = '', twelve = ''] = await Promise.all(
        moments.map((moment) => write({ targetId, createdAt: new Date(moment) })),
      );
      const [at10 = '', at11 = '', at12 = ''] = moments;
      const found = async (query: Query) => idsOf(await list({ targetId, ...query }));
      expect(await found({ from: at11 })).to.deep.equal([twelve, eleven]);
      expect(await found({ until: at11 })).to.deep.equal([ten]);
      expect(await found({ from: at10, until: at12 })).to.deep.equal([eleven, ten]);
      expect(await found({ from: at12, until: at10 })).to.deep.equal([]);
      expect(await found({ from: '2025-03-01T12:00:00+01:00', until: at12 })).to.deep.equal([eleven]);
      expect(await found({ from: '2025-03-01T06:00-05:00' })).to.deep.equal([twelve, eleven]);
    });

    it('When the time is as early or late as one can be written, then it is a time like any other', async () => {
      const { targetId, ids } = await writeMany(1);
      for (const early of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59']) {
        expect(idsOf(await list({ targetId, from: early }))).to.deep.equal(ids);
        expect(idsOf(await list({ targetId, until: early }))).to.deep.equal([]);
      }
      expect(idsOf(await list({ targetId, until: '9999-12-31T23:59:59-23:59' }))).to.deep.equal(ids);
    });

    it('When all are named, then each must hold', async () => {
      const [actorId, targetId] = [randomUUID(), randomUUID()];
      const id = await write({ actorId, targetId, action: 'TEAM_VERIFIED', createdAt: minutesAgo(30) });
      const all = {
        actorId,
        targetId,
        action: 'TEAM_VERIFIED',
        from: minutesAgo(31).toISOString(),
        until: minutesAgo(29).toISOString(),
      };
      expect((await list(all)).body).to.deep.include({ total: 1 });
      expect(idsOf(await list(all))).to.deep.equal([id]);
      for (const other of [
        { actorId: randomUUID() },
        { targetId: randomUUID() },
        { action: 'USER_BLOCKED' },
        { from: minutesAgo(29).toISOString() },
        { until: minutesAgo(31).toISOString() },
      ])
        expect((await list({ ...all, ...other })).body).to.deep.include({ data: [], total: 0 });
    });

    const malformed: [string, string][] = [
      ['actorId', 'me'],
      ['actorId', "' or 1=1 --"],
      ['action', 'USER_CREATED'],
      ['action', 'user_blocked'],
      ['action', ''],
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
      it(`refuses ${name}=${value.slice(0, 30)}`, async () => {
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
      });

    it('refuses a filter given twice', async () => {
      const answer = await admin().api.get(`${LOG}?action=USER_BLOCKED&action=USER_UNBLOCKED`);
      expectError(answer, 400, 'VALIDATION_FAILED', '/query/action');
    });
  });

  describe('belongs to the administrators', () => {
    for (const role of PLATFORM_ROLES)
      it(`When an ${role} asks, then it is ${role === 'ADMIN' ? 'shown' : 'refused'}`, async () => {
        const { api } = await service().member(role);
        const answer = await api.get(LOG);
        if (role === 'ADMIN') expect(answer.status).to.equal(200);
        else expectError(answer, 403, 'WORKSPACE_FORBIDDEN');
      });

    it('When nobody is signed in, then it is refused, before the query is looked at', async () => {
      expectError(await service().api().get(`${LOG}?page=0`), 401, 'TOKEN_INVALID');
    });

    it('It can be read and nothing else', async () => {
      for (const method of ['post', 'patch', 'delete'] as const)
        expectError(await admin().api[method](LOG), 405, 'METHOD_NOT_ALLOWED');
    });
  });
});

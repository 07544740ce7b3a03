import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { type RunningAdminService, useAdministrator, useAdminService } from '../test-admin-service.ts';

type Records = RunningAdminService['records'];
type Change = {
  action: string;
  targetType: string;
  details?: object;
  create: (records: Records) => Promise<string>;
  method: 'post' | 'patch' | 'delete';
  path: (id: string) => string;
  body?: object;
  /** Reads the row that the change affects. */
  selectRow: string;
};

/** Every audited change of this service except for those of queues. */
const CHANGES: Change[] = [
  {
    action: 'USER_BLOCKED',
    targetType: 'USER',
    create: async (records) => (await records.user(['CUSTOMER'])).id,
    method: 'patch',
    path: (id) => `/users/${id}/block`,
    selectRow: 'select * from users where id = $1',
  },
  {
    action: 'USER_UNBLOCKED',
    targetType: 'USER',
    create: async (records) => (await records.user(['CUSTOMER'], { isBlocked: true })).id,
    method: 'patch',
    path: (id) => `/users/${id}/unblock`,
    selectRow: 'select * from users where id = $1',
  },
  {
    action: 'SECOND_FACTOR_RESET',
    targetType: 'USER',
    create: async (records) => {
      const { id } = await records.user(['CUSTOMER']);
      await addSecondFactor(records, id);
      return id;
    },
    method: 'delete',
    path: (id) => `/users/${id}/second-factor`,
    selectRow: 'select * from users where id = $1',
  },
  {
    action: 'ROLE_REMOVED',
    targetType: 'USER',
    details: { role: 'OPERATOR' },
    create: async (records) => (await records.user(['OPERATOR'])).id,
    method: 'delete',
    path: (id) => `/users/${id}/platform-role`,
    selectRow: 'select role from user_roles where user_id = $1',
  },
  {
    action: 'PROJECT_EDITED',
    targetType: 'PROJECT',
    details: {
      fields: ['title', 'category'],
      changes: {
        title: { from: 'Online shop', to: 'Other title' },
        category: { from: 'WEB', to: 'DATA' },
      },
    },
    create: (records) => records.project(),
    method: 'patch',
    path: (id) => `/projects/${id}`,
    body: { title: 'Other title', category: 'DATA' },
    selectRow: 'select * from projects where id = $1',
  },
  {
    action: 'PROJECT_DELETED',
    targetType: 'PROJECT',
    create: (records) => records.project(),
    method: 'delete',
    path: (id) => `/projects/${id}`,
    selectRow: 'select * from projects where id = $1',
  },
  {
    action: 'PROJECT_RESTORED',
    targetType: 'PROJECT',
    create: (records) => records.project({ deletedAt: new Date() }),
    method: 'patch',
    path: (id) => `/projects/${id}/restore`,
    selectRow: 'select * from projects where id = $1',
  },
  {
    action: 'TEAM_VERIFIED',
    targetType: 'TEAM',
    create: (records) => records.team(),
    method: 'post',
    path: (id) => `/administrator/teams/${id}/verify`,
    selectRow: 'select * from teams where id = $1',
  },
];

describe('audit records', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const send = (change: Change, id: string, headers = {}): Promise<HttpResponse> =>
    administrator().api[change.method](change.path(id), change.body, headers);

  for (const change of CHANGES) {
    it(`contain actor, target, request, address and time of ${change.action}`, async () => {
      const id = await change.create(service().records);
      const { status } = await send(change, id, { 'X-Request-Id': `audit-${id}` });
      expect(status).to.be.within(200, 204);
      const [record, ...others] = await service().records.auditOf(id);
      expect(others).to.deep.equal([]);
      const { createdAt, ...rest } = record ?? {};
      expect(rest).to.deep.equal({
        action: change.action,
        actorId: administrator().id,
        targetType: change.targetType,
        targetId: id,
        requestId: `audit-${id}`,
        address: '127.0.0.1',
        details: change.details ?? {},
      });
      expect(Math.abs(Date.now() - Number(createdAt))).to.be.below(60_000);
    });

    it(`are not added by a repeated ${change.action}`, async () => {
      const id = await change.create(service().records);
      await send(change, id);
      const { status } = await send(change, id);
      const isRepeatable = ['PROJECT_EDITED', 'PROJECT_RESTORED', 'SECOND_FACTOR_RESET'].includes(
        change.action,
      );
      expect(status < 400).to.equal(isRepeatable);
      expect(await service().records.auditOf(id)).to.have.lengthOf(1);
    });
  }

  it('contain the client address that the gateway forwards', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    await administrator().api.patch(`/users/${id}/block`, undefined, { 'X-Forwarded-For': '203.0.113.7' });
    expect((await service().records.auditOf(id))[0]?.address).to.equal('203.0.113.7');
  });

  describe('that cannot be inserted', () => {
    before('make every insert fail', async () => {
      const { query } = service().records;
      await query(
        `create function reject_insert() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
      );
      await query(
        'create trigger reject before insert on audit_records for each row execute function reject_insert()',
      );
    });
    after(() => service().records.query('drop function reject_insert cascade'));

    for (const change of CHANGES)
      it(`roll back ${change.action} with 500`, async () => {
        const { records } = service();
        const id = await change.create(records);
        const before = await records.query(change.selectRow, [id]);
        expectError(await send(change, id), 500, 'INTERNAL_ERROR');
        expect(await records.query(change.selectRow, [id])).to.deep.equal(before);
      });
  });
});

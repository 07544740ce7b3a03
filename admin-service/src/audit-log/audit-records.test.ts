import type { HttpResponse } from '@platform/shared/testing/http-client';
import { withFailing } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { type RunningAdminService, type SignedInUser, useAdminService } from '../../testing/admin-service.ts';

/** Reads the rows that a change of the target affects. */
const SELECT_ROWS = {
  USER: `select u.*, (select array_agg(role) from user_roles where user_id = u.id) as roles from users u where id = $1`,
  PROJECT: 'select * from projects where id = $1',
  TEAM: 'select * from teams where id = $1',
};

type Records = RunningAdminService['records'];
type Change = {
  action: string;
  targetType: keyof typeof SELECT_ROWS;
  details?: object;
  create: (records: Records) => Promise<string>;
  change: (admin: SignedInUser, id: string, headers: Record<string, string>) => Promise<HttpResponse>;
};

/** Every audited change of this service except for those of queues. */
const CHANGES: Change[] = [
  {
    action: 'USER_BLOCKED',
    targetType: 'USER',
    create: async (records) => (await records.user(['CUSTOMER'])).id,
    change: (admin, id, headers) => admin.blockUser({ id, headers }),
  },
  {
    action: 'USER_UNBLOCKED',
    targetType: 'USER',
    create: async (records) => (await records.user(['CUSTOMER'], { isBlocked: true })).id,
    change: (admin, id, headers) => admin.unblockUser({ id, headers }),
  },
  {
    action: 'SECOND_FACTOR_RESET',
    targetType: 'USER',
    create: async (records) => {
      const { id } = await records.user(['CUSTOMER']);
      await addSecondFactor(records, id);
      return id;
    },
    change: (admin, id, headers) => admin.removeSecondFactor({ id, headers }),
  },
  {
    action: 'ROLE_REMOVED',
    targetType: 'USER',
    details: { role: 'OPERATOR' },
    create: async (records) => (await records.user(['OPERATOR'])).id,
    change: (admin, id, headers) => admin.removePlatformRole({ id, headers }),
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
    change: (admin, id, headers) =>
      admin.editProject({ id, body: { title: 'Other title', category: 'DATA' }, headers }),
  },
  {
    action: 'PROJECT_DELETED',
    targetType: 'PROJECT',
    create: (records) => records.project(),
    change: (admin, id, headers) => admin.deleteProject({ id, headers }),
  },
  {
    action: 'PROJECT_RESTORED',
    targetType: 'PROJECT',
    create: (records) => records.project({ deletedAt: new Date() }),
    change: (admin, id, headers) => admin.restoreProject({ id, headers }),
  },
  {
    action: 'TEAM_VERIFIED',
    targetType: 'TEAM',
    create: (records) => records.team(),
    change: (admin, id, headers) => admin.verifyTeam({ teamId: id, headers }),
  },
];

describe('audit records', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const send = ({ change }: Change, id: string, headers = {}): Promise<HttpResponse> =>
    change(administrator(), id, headers);

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

    it(`count a repeated ${change.action} once`, async () => {
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
    await administrator().blockUser({ id, headers: { 'X-Forwarded-For': '203.0.113.7' } });
    expect((await service().records.auditOf(id))[0]?.address).to.equal('203.0.113.7');
  });

  for (const change of CHANGES)
    it(`roll back ${change.action} with 500 when they cannot be inserted`, async () => {
      const { databaseUrl, records } = service();
      const id = await change.create(records);
      const before = await records.query(SELECT_ROWS[change.targetType], [id]);
      await withFailing(databaseUrl, 'insert', 'audit_records', async () =>
        expectError(await send(change, id), 500, 'INTERNAL_ERROR'),
      );
      expect(await records.query(SELECT_ROWS[change.targetType], [id])).to.deep.equal(before);
    });
});

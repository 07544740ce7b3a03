import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { type RunningAdminService, type SignedInUser, useAdminService } from '../../testing/admin-service.ts';

type Records = RunningAdminService['records'];
type Change = [
  operation: string,
  change: (admin: SignedInUser, id: string) => Promise<HttpResponse>,
  create: (records: Records) => Promise<string>,
  events: [type: string, data?: object][],
];

const user =
  (roles: Parameters<Records['user']>[0], isBlocked = false) =>
  async (records: Records) =>
    (await records.user(roles, { isBlocked })).id;

/** Requests and the events that they cause. */
const CHANGES: Change[] = [
  ['blockUser', (admin, id) => admin.blockUser({ id }), user(['CUSTOMER']), [['user.blocked']]],
  ['unblockUser', (admin, id) => admin.unblockUser({ id }), user(['CUSTOMER'], true), [['user.unblocked']]],
  ['removeSecondFactor', (admin, id) => admin.removeSecondFactor({ id }), user(['CUSTOMER']), []],
  [
    'removePlatformRole',
    (admin, id) => admin.removePlatformRole({ id }),
    user(['OPERATOR', 'CUSTOMER']),
    [['user.role-removed', { role: 'OPERATOR' }]],
  ],
  [
    'removePlatformRole with erase',
    (admin, id) => admin.removePlatformRole({ id, query: { erase: true } }),
    user(['ARBITER']),
    [['user.role-removed', { role: 'ARBITER' }], ['user.deleted']],
  ],
  [
    'editProject',
    (admin, id) => admin.editProject({ id, body: { title: 'Confidential' } }),
    (records) => records.project(),
    [['project.edited', { fields: ['title'] }]],
  ],
  [
    'editProject without a change',
    (admin, id) => admin.editProject({ id, body: {} }),
    (records) => records.project(),
    [],
  ],
  [
    'deleteProject',
    (admin, id) => admin.deleteProject({ id }),
    (records) => records.project(),
    [['project.deleted']],
  ],
  [
    'restoreProject',
    (admin, id) => admin.restoreProject({ id }),
    (records) => records.project({ deletedAt: new Date() }),
    [['project.restored']],
  ],
  [
    'restoreProject for a project that is not deleted',
    (admin, id) => admin.restoreProject({ id }),
    (records) => records.project(),
    [],
  ],
  [
    'verifyTeam',
    (admin, id) => admin.verifyTeam({ teamId: id }),
    (records) => records.team(),
    [['team.verified']],
  ],
];

describe('events that requests to admin-service cause', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;

  for (const [operation, change, create, events] of CHANGES)
    it(`are ${events.map(([type]) => type).join(', ') || 'none'} for ${operation}`, async () => {
      const id = await create(service().records);
      const { status, text } = await change(administrator(), id);
      expect(status, text).to.be.within(200, 204);
      expect(await service().records.eventsOf(id)).to.deep.equal(
        events.map(([type, data = {}]) => ({ type, data })),
      );
      const causedBy = `user:${administrator().id}`;
      expect(await service().records.causesOf(id)).to.deep.equal(
        events.map(([type]) => ({ type, causedBy })),
      );
    });

  it('are none for a rejected change', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true });
    expect((await administrator().blockUser({ id })).status).to.equal(400);
    expect((await administrator().blockUser({ id: randomUUID() })).status).to.equal(404);
    expect(await service().records.eventsOf(id)).to.deep.equal([]);
  });
});

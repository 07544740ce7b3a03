import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  type RunningAdminService,
  useAdministrator,
  useAdminService,
} from '../../testing/test-admin-service.ts';

type Records = RunningAdminService['records'];
type Method = 'post' | 'patch' | 'delete';
type Change = [
  method: Method,
  path: string,
  create: (records: Records) => Promise<string>,
  events: [type: string, data?: object][],
  body?: object,
];

const user =
  (roles: Parameters<Records['user']>[0], isBlocked = false) =>
  async (records: Records) =>
    (await records.user(roles, { isBlocked })).id;

/** Requests and the events that they cause. */
const CHANGES: Change[] = [
  ['patch', '/users/:id/block', user(['CUSTOMER']), [['user.blocked']]],
  ['patch', '/users/:id/unblock', user(['CUSTOMER'], true), [['user.unblocked']]],
  ['delete', '/users/:id/second-factor', user(['CUSTOMER']), []],
  [
    'delete',
    '/users/:id/platform-role',
    user(['OPERATOR', 'CUSTOMER']),
    [['user.role-removed', { role: 'OPERATOR' }]],
  ],
  [
    'delete',
    '/users/:id/platform-role?erase=true',
    user(['ARBITER']),
    [['user.role-removed', { role: 'ARBITER' }], ['user.deleted']],
  ],
  [
    'patch',
    '/projects/:id',
    (records) => records.project(),
    [['project.edited', { fields: ['title'] }]],
    { title: 'Confidential' },
  ],
  ['patch', '/projects/:id', (records) => records.project(), [], {}],
  ['delete', '/projects/:id', (records) => records.project(), [['project.deleted']]],
  [
    'patch',
    '/projects/:id/restore',
    (records) => records.project({ deletedAt: new Date() }),
    [['project.restored']],
  ],
  ['patch', '/projects/:id/restore', (records) => records.project(), []],
  ['post', '/administrator/teams/:id/verify', (records) => records.team(), [['team.verified']]],
];

describe('events that requests to admin-service cause', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const eventsOf = (subject: string) =>
    service().records.query<{ type: string; data: object }>(
      'select type, data from events where subject = $1 order by sequence',
      [subject],
    );

  for (const [method, path, create, events, body] of CHANGES)
    it(`are ${events.map(([type]) => type).join(', ') || 'none'} for ${method} ${path}`, async () => {
      const id = await create(service().records);
      const { status, text } = await administrator().api[method](path.replace(':id', id), body);
      expect(status, text).to.be.within(200, 204);
      expect(await eventsOf(id)).to.deep.equal(events.map(([type, data = {}]) => ({ type, data })));
    });

  it('are none for a rejected change', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true });
    expect((await administrator().api.patch(`/users/${id}/block`)).status).to.equal(400);
    expect((await administrator().api.patch(`/users/${randomUUID()}/block`)).status).to.equal(404);
    expect(await eventsOf(id)).to.deep.equal([]);
  });
});

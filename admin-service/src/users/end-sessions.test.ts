import { randomUUID } from 'node:crypto';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdminService } from '../../testing/admin-service.ts';

describe('end of all sessions of a user', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const endSessions = (id: string) => administrator().endSessionsOfUser({ id });
  const signedInUser = async () => {
    const { id } = await service().records.user(['CUSTOMER', 'EMPLOYEE']);
    for (const _device of [1, 2]) await service().records.registeredToken(id, { secret: ACCESS_SECRET });
    return id;
  };
  const countTokens = async (id: string) => (await countSessions(service().databaseUrl, id)).tokenRecords;

  it('removes the tokens of this user only, and records each request', async () => {
    const [id, other] = [await signedInUser(), await signedInUser()];
    for (const _time of [1, 2]) expect((await endSessions(id)).status).to.equal(204);
    expect([await countTokens(id), await countTokens(other)]).to.deep.equal([0, 2]);
    const records = await service().records.auditOf(id);
    expect(records.map(({ action, actorId, details }) => [action, actorId, details])).to.deep.equal([
      ['SESSIONS_ENDED', administrator().id, { count: 2 }],
      ['SESSIONS_ENDED', administrator().id, { count: 0 }],
    ]);
  });

  it('ends the sessions of the caller, too', async () => {
    const caller = await service().as('ADMIN');
    const { id } = caller;
    expect((await caller.endSessionsOfUser({ id })).status).to.equal(204);
    expectError(await caller.administratorWorkspaceMe(), 401, 'TOKEN_INVALID');
  });

  it('returns 404 for an unknown and for a deleted user', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    await service().records.deleteAccount(id);
    for (const missing of [randomUUID(), id]) expectError(await endSessions(missing), 404, 'USER_NOT_FOUND');
  });
});

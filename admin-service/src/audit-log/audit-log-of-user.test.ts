import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

type Entry = {
  action?: string;
  actorId?: string | null;
  targetType?: string;
  targetId: string;
  details?: object;
};

describe('audit log of a user', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const list = (query: Record<string, string | number>) => administrator().listAuditLog({ query });

  const insert = async (minutes: number, { action = 'USER_BLOCKED', ...entry }: Entry): Promise<string> => {
    const { actorId = null, targetType = 'USER', targetId, details = {} } = entry;
    const [row] = await records().query<{ id: string }>(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, created_at, details)
       values ($1, $2, $3, $4, 'request-1', '203.0.113.7', $5, $6) returning id`,
      [action, actorId, targetType, targetId, minutesAgo(minutes), details],
    );
    return row?.id ?? '';
  };

  it('contains what the user did and what was done to the user, newest first, each record once', async () => {
    const [userId, other] = [randomUUID(), randomUUID()];
    const membership = { action: 'TEAM_MEMBER_ADDED', targetType: 'TEAM', targetId: randomUUID() };
    const ids = [
      await insert(1, { actorId: other, targetId: userId }),
      await insert(2, { actorId: userId, targetId: userId, action: 'PASSWORD_CHANGED' }),
      await insert(3, {
        actorId: userId,
        targetId: randomUUID(),
        targetType: 'TEAM',
        action: 'TEAM_VERIFIED',
      }),
      await insert(4, { targetId: userId, action: 'SIGN_IN_FAILED' }),
      await insert(5, { ...membership, details: { employeeId: randomUUID(), userId } }),
    ];
    await insert(2, { actorId: other, targetId: other });
    await insert(5, { ...membership, details: { userId: other } });
    expect(getIds(await list({ userId }))).to.deep.equal(ids);
    expect(getIds(await list({ userId: userId.toUpperCase() }))).to.deep.equal(ids);
    const pages = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const { body } = await list({ userId, perPage: 1, ...(cursor && { cursor }) });
      pages.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(pages).to.deep.equal(ids);
    expect(getIds(await list({ userId, action: 'PASSWORD_CHANGED' }))).to.deep.equal([ids[1]]);
    expect(getIds(await list({ userId, actorId: other }))).to.deep.equal([ids[0]]);
    expect(getIds(await list({ userId, until: minutesAgo(2.5).toISOString() }))).to.deep.equal(ids.slice(2));
    expectError(await list({ userId: 'me' }), 400, 'VALIDATION_FAILED', '/query/userId');
  });

  it('names actor and target as they are now, and not after a deletion', async () => {
    const actor = await records().user(['ADMIN']);
    const user = await records().user(['CUSTOMER'], { firstName: 'Ada', lastName: 'Lovelace' });
    const [projectId, teamId] = [
      await records().project({ title: 'Old title' }),
      await records().team({ name: 'North Studio' }),
    ];
    const targets: [type: string, id: string][] = [
      ['USER', user.id],
      ['PROJECT', projectId],
      ['TEAM', teamId],
      ['QUEUE', 'mails'],
    ];
    for (const [index, [targetType, targetId]] of targets.entries())
      await insert(index + 1, { actorId: actor.id, targetType, targetId });
    await records().query("update projects set title = 'New title' where id = $1", [projectId]);
    const names = async () =>
      (await list({ userId: actor.id })).body.data.map(
        ({ actorEmail, targetName }: Record<string, string>) => [actorEmail, targetName],
      );
    expect(await names()).to.deep.equal(
      ['Ada Lovelace', 'New title', 'North Studio', null].map((name) => [actor.email, name]),
    );
    await records().removeRoles(actor.id);
    for (const { id } of [user, actor]) await records().deleteAccount(id);
    expect(await names()).to.deep.equal(
      [null, 'New title', 'North Studio', null].map((name) => [null, name]),
    );
    const stored = await records().query<{ row: string }>(
      'select r::text as row from audit_records r where actor_id = $1',
      [actor.id],
    );
    expect(JSON.stringify(stored)).not.to.match(/Lovelace|New title|North Studio|@/);
  });
});

import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

const LOG = '/administrator/audit-log';

describe('filters of the audit log', () => {
  const service = useAdminService();
  const admin = () => service().administrator;
  const records = () => service().records;
  const list = (query = {}) => admin().listAuditLog({ query });
  const insert = async (
    action: string,
    minutes: number,
    fields: Record<string, unknown> = {},
  ): Promise<string> => {
    const { actorId = null, targetType = 'USER', targetId = randomUUID(), details = {} } = fields;
    const [row] = await records().query<{ id: string }>(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
       values ($1, $2, $3, $4, 'request-1', '203.0.113.7', $5, $6) returning id`,
      [action, actorId, targetType, targetId, JSON.stringify(details), minutesAgo(minutes)],
    );
    return row?.id ?? '';
  };
  beforeEach('delete the records of other tests', () => records().query('delete from audit_records'));

  it('find several actions in one order, with and without a person or thing, on every page', async () => {
    const [actorId, targetId] = [(await records().user(['ADMIN'])).id, randomUUID()];
    await records().query('delete from audit_records');
    const ids: string[] = [];
    for (const [index, action] of ['USER_BLOCKED', 'TEAM_EDITED', 'USER_UNBLOCKED', 'USER_BLOCKED'].entries())
      ids.push(await insert(action, index + 1, { actorId, targetId }));
    const [first, , third, fourth] = ids;
    const action = ['USER_UNBLOCKED', 'USER_BLOCKED'] as const;
    for (const others of [
      {},
      { actorId },
      { targetId },
      { userId: actorId },
      { from: minutesAgo(9).toISOString() },
    ]) {
      const page = await list({ action, perPage: 2, ...others });
      expect(getIds(page), JSON.stringify(others)).to.deep.equal([first, third]);
      const next = await list({ action, perPage: 2, cursor: page.body.nextCursor, ...others });
      expect(getIds(next), JSON.stringify(others)).to.deep.equal([fourth]);
      expect(next.body.nextCursor).to.equal(null);
    }
    expect(getIds(await list({ action, until: minutesAgo(2.5).toISOString() }))).to.deep.equal([
      third,
      fourth,
    ]);
    expect(getIds(await list({ action: ['USER_BLOCKED', 'USER_BLOCKED'] }))).to.deep.equal([first, fourth]);
    expect(getIds(await list({ action: ['TEAM_VERIFIED'] }))).to.deep.equal([]);
  });

  it('leave out sign-ins, those of one person too', async () => {
    const { id: actorId } = await records().user(['CUSTOMER']);
    await records().query('delete from audit_records');
    const kept = await insert('PASSWORD_CHANGED', 1, { actorId, targetId: actorId });
    const hidden = [];
    for (const action of ['SIGNED_IN', 'SIGN_IN_FAILED'])
      hidden.push(await insert(action, 2, { actorId, targetId: actorId }));
    for (const others of [{}, { userId: actorId }]) {
      expect(getIds(await list({ hideSignIns: true, ...others }))).to.deep.equal([kept]);
      expect(getIds(await list({ hideSignIns: false, ...others }))).to.have.members([kept, ...hidden]);
    }
    const signIns = ['SIGNED_IN', 'PASSWORD_CHANGED'] as const;
    expect(getIds(await list({ hideSignIns: true, action: signIns }))).to.deep.equal([kept]);
  });

  it('reject an unknown action, none, and more than fifty', async () => {
    const many = Array.from({ length: 51 }, () => 'action=USER_BLOCKED').join('&');
    for (const query of ['action=BLOCK', 'action=', 'action=USER_BLOCKED&action=BLOCK', many])
      expectError(await admin().send('GET', `${LOG}?${query}`), 400, 'VALIDATION_FAILED');
    expect(
      (await admin().send('GET', `${LOG}?${many.slice('action=USER_BLOCKED&'.length)}`)).status,
    ).to.equal(200);
    expectError(
      await admin().send('GET', `${LOG}?hideSignIns=1`),
      400,
      'VALIDATION_FAILED',
      '/query/hideSignIns',
    );
  });

  it('read one record as in the list', async () => {
    await insert('USER_BLOCKED', 1, { actorId: admin().id });
    const [listed] = (await list()).body.data;
    const { status, body } = await admin().getAuditRecord({ id: listed.id });
    expect(status).to.equal(200);
    expect(body).to.deep.equal(listed);
    expectError(await admin().getAuditRecord({ id: randomUUID() }), 404, 'AUDIT_RECORD_NOT_FOUND');
  });

  it('name who acted, as the list of people does', async () => {
    const customer = await records().user(['CUSTOMER'], { firstName: 'Ada', lastName: 'Lovelace' });
    const colleague = await records().user(['ADMIN']);
    await records().query(`update user_roles set name = 'Grace' where user_id = $1`, [colleague.id]);
    const deleted = (await records().user(['CUSTOMER'], { firstName: 'Bob' })).id;
    const former = await records().user(['ADMIN'], { firstName: 'Eve' });
    await records().removeRoles(former.id);
    await records().deleteAccount(deleted);
    for (const [actorId, actorName, actorPlatformRole] of [
      [customer.id, 'Ada Lovelace', null],
      [colleague.id, 'Grace', 'ADMIN'],
      [admin().id, null, 'ADMIN'],
      [former.id, null, null],
      [deleted, null, null],
    ] as const) {
      const id = await insert('USER_BLOCKED', 1, { actorId });
      expect((await admin().getAuditRecord({ id })).body).to.include({ actorName, actorPlatformRole });
    }
  });

  it('name a mail with its masked recipient while that is known, and nothing of a deleted account', async () => {
    const user = await records().user(['CUSTOMER']);
    const masked = user.email.replace(/^(.).*@/, '$1…@');
    const [waiting] = await records().query<{ id: string }>(
      `insert into mail_outbox (mail, request_id) values ('{"template":"lead-request","to":"team@example.com"}', 'r') returning id`,
    );
    const mail = (targetId: string | undefined, details: object) =>
      insert('MAIL_DELETED', 1, { targetType: 'MAIL', targetId, details });
    const read = async (id: string) => (await admin().getAuditRecord({ id })).body.targetName;
    const sent = await mail(randomUUID(), { mail: 'password-changed', userId: user.id });
    expect(await read(sent)).to.equal(`password-changed ${masked}`);
    expect(await read(await mail(waiting?.id, { mail: 'lead-request' }))).to.equal(
      'lead-request t…@example.com',
    );
    expect(await read(await mail(randomUUID(), { mail: 'invitation' }))).to.equal('invitation');
    await records().deleteAccount(user.id);
    expect(await read(sent)).to.equal('password-changed');
  });

  it('name the sender of an accepted invitation, and the assignee of a form', async () => {
    const user = await records().user(['CUSTOMER'], { firstName: 'Ada', lastName: null });
    for (const details of [{ invitedBy: user.id }, { userId: user.id }]) {
      const id = await insert('INVITATION_ACCEPTED', 1, { targetType: 'INVITATION', details });
      expect((await admin().getAuditRecord({ id })).body.user).to.deep.equal({ id: user.id, name: 'Ada' });
    }
  });
});

import { randomUUID } from 'node:crypto';
import { createInvitationCipher } from '@platform/shared/platform/codes/invitation-code';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { lockUser } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { CODE_SECRET, getIds, type SignedInUser, useAdminService } from '../../testing/admin-service.ts';

type StoredMail = { mail: Record<string, string>; userId: string | null };

const DAY_MILLISECONDS = 24 * 3_600_000;
const masked = (email: string) => email.replace(/^(.).*@/, '$1…@');
const { decrypt } = createInvitationCipher({ current: CODE_SECRET, previous: [] });

describe('invitation to the back office', () => {
  const service = useAdminService();
  let administrator: SignedInUser;
  beforeEach('sign in an ADMIN, who has a limit of invitations', async () => {
    administrator = await service().as('ADMIN');
  });
  const invite = (email = uniqueEmail(), body: object = { role: 'OPERATOR' }, by = administrator) =>
    by.invite({ body: { email, ...body } });
  const mailsTo = (email: string) =>
    service().records.query<StoredMail>(
      `select mail, user_id as "userId" from mail_outbox where mail ->> 'to' = $1 order by created_at`,
      [email],
    );
  const isWaiting = async (id: string): Promise<boolean> =>
    getIds(await administrator.listInvitations()).includes(id);

  it('is listed with its inviter, and mailed with a code that only the mail contains', async () => {
    const email = uniqueEmail();
    const { status, body, text } = await invite(email.toUpperCase(), { role: 'ARBITER', language: 'de' });
    expect(status, text).to.equal(201);
    const { id, createdAt, expiresAt } = body;
    const invitedBy = { id: administrator.id, email: administrator.email, name: null };
    expect(body).to.deep.equal({
      id,
      email,
      role: 'ARBITER',
      language: 'de',
      invitedBy,
      createdAt,
      expiresAt,
    });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(7 * DAY_MILLISECONDS);
    const { data, allowedDomains } = (await administrator.listInvitations()).body;
    expect(data[0]).to.deep.equal(body);
    expect(allowedDomains).to.deep.equal(['example.com']);

    const [stored, ...others] = await mailsTo(email);
    expect(others).to.deep.equal([]);
    const { sealedCode = '', ...mail } = stored?.mail ?? {};
    expect(mail).to.deep.equal({
      template: 'invitation',
      to: email,
      language: 'de',
      role: 'ARBITER',
      expiresAt,
      invitedBy: administrator.email,
    });
    const code = decrypt(sealedCode);
    expect(code).to.match(/^(?:[a-z2-7]{4}-){7}[a-z2-7]{4}$/);
    const [row] = await service().records.query<{ found: boolean }>(
      'select i::text || o::text like $2 as found from invitations i join mail_outbox o on o.invitation_id = i.id where i.id = $1',
      [id, `%${code}%`],
    );
    expect(row).to.deep.equal({ found: false });
    const [record] = await service().records.auditOf(id);
    expect(record).to.deep.include({
      action: 'INVITATION_SENT',
      actorId: administrator.id,
      targetType: 'INVITATION',
      details: { role: 'ARBITER', recipient: masked(email) },
    });
  });

  it('is in the language of the inviter by default', async () => {
    const email = uniqueEmail();
    await service().records.query("update users set language = 'de' where id = $1", [administrator.id]);
    expect((await invite(email)).body.language).to.equal('de');
    expect((await mailsTo(email))[0]?.mail['language']).to.equal('de');
  });

  it('is counted when it is sent', async () => {
    const count = async () =>
      Number(/^invitations_sent_total\S* (\d+)/m.exec(await service().metrics())?.[1]);
    const before = await count();
    await invite(uniqueEmail(), { role: 'CUSTOMER' });
    expect(await count()).to.equal(before);
    await invite();
    expect(await count()).to.equal(before + 1);
  });

  it('returns 403 for an address of another domain', async () => {
    for (const domain of ['example.net', 'sub.example.com', 'example.com.evil'])
      expectError(await invite(uniqueEmail().replace('example.com', domain)), 403, 'DOMAIN_NOT_ALLOWED');
  });

  it('returns 409 if an account with the address is verified or has a platform role', async () => {
    const { records } = service();
    const verified = await records.user(['CUSTOMER'], { isEmailVerified: true });
    const withRole = await records.user(['OPERATOR']);
    for (const { email } of [verified, withRole])
      expectError(await invite(email.toUpperCase()), 409, 'EMAIL_TAKEN');
    // A stranger who signs up with the address cannot stop the invitation.
    const { email } = await records.user(['CUSTOMER']);
    expect((await invite(email)).status).to.equal(201);
  });

  it('returns 400 for an unknown role, a malformed address and an undeclared field', async () => {
    expectError(await invite(uniqueEmail(), { role: 'CUSTOMER' }), 400, 'VALIDATION_FAILED', '/body/role');
    expectError(await invite('nobody'), 400, 'VALIDATION_FAILED', '/body/email');
    const undeclared = { role: 'ADMIN', invitedBy: randomUUID() };
    expectError(await invite(uniqueEmail(), undeclared), 400, 'VALIDATION_FAILED', '/body/invitedBy');
  });

  it('replaces an earlier one of the address, and its waiting mail', async () => {
    const email = uniqueEmail();
    const first = (await invite(email)).body;
    const other = await service().as('ADMIN');
    const second = (await invite(email, { role: 'ADMIN' }, other)).body;
    expect(await isWaiting(first.id)).to.equal(false);
    expect(await isWaiting(second.id)).to.equal(true);
    expect((await mailsTo(email)).map(({ mail }) => mail['role'])).to.deep.equal(['ADMIN']);
    const [record] = await service().records.auditOf(second.id);
    expect(record?.details).to.deep.equal({
      role: 'ADMIN',
      recipient: masked(email),
      replaced: first.id,
    });
  });

  it('leaves one of several at once for an address, with its mail', async () => {
    const email = uniqueEmail();
    const others = await Promise.all([service().as('ADMIN'), service().as('ADMIN')]);
    const sent = await Promise.all(
      [administrator, ...others].map((by) => invite(email, { role: 'OPERATOR' }, by)),
    );
    expect(sent.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
    const waiting = await Promise.all(sent.map(({ body }) => isWaiting(body.id)));
    expect(waiting.filter(Boolean)).to.have.lengthOf(1);
    expect(await mailsTo(email)).to.have.lengthOf(1);
  });

  it('can be withdrawn once, with its waiting mail', async () => {
    const email = uniqueEmail();
    const { id } = (await invite(email)).body;
    expect((await administrator.withdrawInvitation({ id })).status).to.equal(204);
    expect(await isWaiting(id)).to.equal(false);
    expect(await mailsTo(email)).to.deep.equal([]);
    for (const gone of [id, randomUUID()])
      expectError(await administrator.withdrawInvitation({ id: gone }), 404, 'INVITATION_NOT_FOUND');
  });

  it('is in the audit log with its address while it waits, and with the masked address afterwards', async () => {
    const email = uniqueEmail();
    const { id } = (await invite(email)).body;
    const names = async () => {
      const { body } = await administrator.listAuditLog({ query: { targetId: id } });
      return body.data.map(({ action, targetName }: Record<string, string>) => [action, targetName]);
    };
    expect(await names()).to.deep.equal([['INVITATION_SENT', email]]);
    await administrator.withdrawInvitation({ id });
    expect(await names()).to.deep.equal([
      ['INVITATION_WITHDRAWN', masked(email)],
      ['INVITATION_SENT', masked(email)],
    ]);
  });

  it('is neither listed nor withdrawn after seven days', async () => {
    const { id } = (await invite()).body;
    await service().records.query('update invitations set expires_at = now() where id = $1', [id]);
    expect(await isWaiting(id)).to.equal(false);
    expectError(await administrator.withdrawInvitation({ id }), 404, 'INVITATION_NOT_FOUND');
  });

  it('returns 429 after twenty roles within an hour by one ADMIN, withdrawn ones included', async () => {
    const first = await invite();
    // Each waits for the lock on the ADMIN, so many at once could wait too long.
    for (let count = 1; count < 20; count += 1) expect((await invite()).status).to.equal(201);
    await administrator.withdrawInvitation({ id: first.body.id });
    const rejected = await invite();
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(Number(rejected.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect((await invite(uniqueEmail(), { role: 'ADMIN' }, await service().as('ADMIN'))).status).to.equal(
      201,
    );
    await service().records.query(
      "update audit_records set created_at = now() - interval '1 hour' where target_id = $1",
      [first?.body.id],
    );
    expect((await invite()).status).to.equal(201);
  });

  for (const [name, end, reason] of [
    [
      'loses the role',
      (by: SignedInUser, id: string) => by.removePlatformRole({ id }),
      'inviter-role-removed',
    ],
    ['is blocked', (by: SignedInUser, id: string) => by.blockUser({ id }), 'inviter-blocked'],
  ] as const)
    it(`is deleted with its mail when the inviter ${name}`, async () => {
      const other = await service().as('ADMIN');
      const email = uniqueEmail();
      const { id } = (await invite(email, { role: 'OPERATOR' }, other)).body;
      const { id: expired } = (await invite(uniqueEmail(), { role: 'OPERATOR' }, other)).body;
      await service().records.query('update invitations set expires_at = now() where id = $1', [expired]);
      // An ADMIN cannot be blocked, but may have been one when the invitation was sent.
      if (reason === 'inviter-blocked')
        await service().records.query('delete from user_roles where user_id = $1', [other.id]);
      expect((await end(administrator, other.id)).status).to.be.below(300);
      expect(await isWaiting(id)).to.equal(false);
      expect(await mailsTo(email)).to.deep.equal([]);
      const [, record] = await service().records.auditOf(id);
      expect(record).to.deep.include({
        action: 'INVITATION_WITHDRAWN',
        actorId: administrator.id,
        details: { role: 'OPERATOR', recipient: masked(email), reason },
      });
      const kept = await service().records.query('select 1 from invitations where id = $1', [expired]);
      expect(kept).to.deep.equal([]);
      const actions = (await service().records.auditOf(expired)).map(({ action }) => action);
      expect(actions).to.deep.equal(['INVITATION_SENT']);
    });

  it('is not sent by an ADMIN who loses the role during the request', async () => {
    const other = await service().as('ADMIN');
    const lock = await lockUser(service().databaseUrl, other.id);
    const sent = invite(uniqueEmail(), { role: 'OPERATOR' }, other);
    await lock.untilWaiting(1);
    await service().records.query('delete from user_roles where user_id = $1', [other.id]);
    await lock.commit();
    expectError(await sent, 403, 'WORKSPACE_FORBIDDEN');
  });

  it('is deleted with the account of the inviter, and with a verified one of its address', async () => {
    const { records } = service();
    const inviter = await service().as('ADMIN');
    const sent = (await invite(uniqueEmail(), { role: 'OPERATOR' }, inviter)).body;
    await records.query('delete from user_roles where user_id = $1', [inviter.id]);
    await records.deleteAccount(inviter.id);
    expect(await isWaiting(sent.id)).to.equal(false);

    for (const isEmailVerified of [false, true]) {
      const { email } = (await invite()).body;
      const { id } = await records.user(['CUSTOMER'], { email, isEmailVerified });
      await records.deleteAccount(id);
      // A stranger who deletes an unverified account must not end the invitation.
      const waiting = (await administrator.listInvitations()).body.data;
      expect(waiting.some((each: { email: string }) => each.email === email)).to.equal(!isEmailVerified);
    }
  });

  it('keeps the id of an inviter whose account was deleted otherwise', async () => {
    const { id } = (await invite()).body;
    const other = await service().as('ADMIN');
    await service().records.query('update users set email = null, deleted_at = now() where id = $1', [
      administrator.id,
    ]);
    const { data } = (await other.listInvitations()).body;
    const listed = data.find((each: { id: string }) => each.id === id);
    expect(listed.invitedBy).to.deep.equal({ id: administrator.id, email: null, name: null });
  });
});

import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { withFailing } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { insertInvitation } from '../../testing/invitations.ts';
import {
  attemptSignIn,
  expectInvalidCredentials,
  expectThrottled,
  getAddress,
  setFailures,
} from '../../testing/sign-in-attempts.ts';

const NEW_PASSWORD = 'Invited horse 7';

describe('acceptance of an invitation', () => {
  const service = useAuthService();
  const administrators = () => service().as('administrator');
  const invite = (fields?: Parameters<typeof insertInvitation>[1]) =>
    insertInvitation(service().records, fields);
  const check = (code: string) => administrators().invitationCheck({ body: { code } });
  const accept = (code: string, password = NEW_PASSWORD, language?: string) =>
    administrators().invitationAccept({
      body: { code, password },
      headers: { 'Accept-Language': language },
    });
  const eventsOf = async (userId: string) =>
    (
      await service().records.query<{ type: string }>(
        'select type from events where subject = $1 order by sequence',
        [userId],
      )
    ).map(({ type }) => type);
  const rejectionsOf = async (id: string) =>
    (await service().records.auditOf(id)).map(({ action, details }) => [action, details['reason']]);
  const expectInvalid = (response: HttpResponse) => expectError(response, 400, 'CODE_INVALID');

  it('creates an account with the role and a verified address, and signs nobody in', async () => {
    const { id, code, email, role, inviterId } = await invite({ role: 'ARBITER' });
    const checked = await check(code);
    expect([checked.status, checked.body.email, checked.body.role]).to.deep.equal([200, email, role]);
    const { status, body, text, headers } = await accept(code);
    expect(status, text).to.equal(201);
    expect(body).to.deep.equal({ id: body.id, email, platformRole: 'ARBITER', createdAt: body.createdAt });
    expect(headers).not.to.have.property('set-cookie');
    const signedIn = await administrators().signIn({
      fingerprint: 'laptop',
      body: { email, password: NEW_PASSWORD },
    });
    expect(signedIn.body.user).to.deep.include({ isEmailVerified: true, platformRole: 'ARBITER' });
    expect(await eventsOf(body.id)).to.deep.equal(['user.created', 'user.role-assigned']);
    const [record] = await service().records.auditOf(id);
    expect(record).to.deep.include({
      action: 'INVITATION_ACCEPTED',
      actorId: body.id,
      targetType: 'INVITATION',
      details: { role: 'ARBITER', invitedBy: inviterId, recipient: email.replace(/^(.).*@/, '$1…@') },
    });
    const assigned = (await service().records.auditOf(body.id)).find(
      ({ action }) => action === 'ROLE_ASSIGNED',
    );
    expect(assigned).to.deep.include({ actorId: inviterId, details: { role: 'ARBITER', invitationId: id } });
    const [inviter] = await service().records.query<{ email: string }>(
      'select email from users where id = $1',
      [inviterId],
    );
    const [mail] = await service().mails.outboxFor(inviter?.email ?? '');
    expect(mail).to.deep.include({ template: 'invitation-accepted', email, role: 'ARBITER' });
    expect(await service().mails.outboxFor(email)).to.deep.equal([]);
  });

  it('ignores letter case, spaces and dashes of the code', async () => {
    const { code } = await invite();
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
    expect((await check(typed)).status).to.equal(200);
    expect((await accept(typed)).status).to.equal(201);
  });

  it('takes the language of the browser, or else that of the invitation', async () => {
    for (const [accepted, stored] of [
      ['en-GB', 'en'],
      [undefined, 'de'],
    ] as const) {
      const { code } = await invite({ language: 'de' });
      const { body } = await accept(code, NEW_PASSWORD, accepted);
      const [user] = await service().records.query('select language from users where id = $1', [body.id]);
      expect(user).to.deep.equal({ language: stored });
    }
  });

  it('takes the name that colleagues see', async () => {
    const { code } = await invite();
    const { status, body } = await service()
      .as('administrator')
      .invitationAccept({ body: { code, password: NEW_PASSWORD, name: ' Grace Hopper ' } });
    expect(status).to.equal(201);
    const rows = await service().records.query('select name from user_roles where user_id = $1', [body.id]);
    expect(rows).to.deep.equal([{ name: 'Grace Hopper' }]);
  });

  it('takes over an unverified account that a stranger has made with the address', async () => {
    const { records } = service();
    const { code, email } = await invite({ role: 'ADMIN' });
    const stranger = service().as('customer');
    const account = await stranger.createAccount({ email });
    const device = await stranger.openDevice(account);
    // No operation adds a factor before the proof, so the test inserts one.
    await addSecondFactor(records, account.userId);
    const { status, body, text } = await accept(code);
    expect(status, text).to.equal(201);
    expect(body).to.deep.include({ id: account.userId, platformRole: 'ADMIN' });
    await stranger.expectSignedOut(device);
    const signIn = (password: string) =>
      administrators().signIn({ fingerprint: 'laptop', body: { email, password } });
    expectError(await signIn(PASSWORD), 401, 'INVALID_CREDENTIALS');
    expect((await signIn(NEW_PASSWORD)).status).to.equal(200);
    expect((await eventsOf(account.userId)).slice(1)).to.deep.equal([
      'user.password-changed',
      'user.email-verified',
      'user.role-assigned',
    ]);
    expect(await service().mails.templatesFor(email)).to.deep.equal([]);
  });

  it('ends the pause that wrong passwords of strangers have caused', async () => {
    const { code, email } = await invite();
    const { userId } = await service().as('customer').createAccount({ email });
    await setFailures(service().databaseUrl, userId, 'password', 99);
    const attempt = (password: string) =>
      attemptSignIn(service(), ADMINISTRATOR, { email, password, from: getAddress(1) });
    expectInvalidCredentials(await attempt(WRONG_PASSWORD));
    expectThrottled(await attempt(PASSWORD));
    expect((await accept(code)).status).to.equal(201);
    expect((await attempt(NEW_PASSWORD)).status).to.equal(200);
  });

  it('rejects unknown and used codes', async () => {
    const { code } = await invite();
    expect((await accept(code)).status).to.equal(201);
    for (const invalid of [code, 'aaaa-bbbb', code.slice(1), '-', '%']) {
      expectInvalid(await check(invalid));
      expectInvalid(await accept(invalid));
    }
    for (const malformed of ['', 'x'.repeat(65)])
      expectError(await accept(malformed), 400, 'VALIDATION_FAILED', '/body/code');
  });

  it('rejects an invitation that was withdrawn or is older than seven days', async () => {
    const { records } = service();
    const withdrawn = await invite();
    await records.query('delete from invitations where id = $1', [withdrawn.id]);
    expectInvalid(await accept(withdrawn.code));
    const old = await invite();
    await records.query('update invitations set expires_at = now() where id = $1', [old.id]);
    expectInvalid(await check(old.code));
    expectInvalid(await accept(old.code));
    expect(await rejectionsOf(old.id)).to.deep.equal([
      ['INVITATION_REJECTED', 'expired'],
      ['INVITATION_REJECTED', 'expired'],
    ]);
  });

  for (const [state, roles, fields, reason] of [
    ['is verified', ['CUSTOMER'], { isEmailVerified: true }, 'account-verified'],
    ['is blocked', ['CUSTOMER'], { isBlocked: true }, 'account-blocked'],
    ['has a platform role', ['ADMIN'], {}, 'account-has-role'],
  ] as const)
    it(`rejects an address whose account ${state} meanwhile; the audit log says why`, async () => {
      const { id, code, email } = await invite();
      const user = await service().records.user(roles, { email, ...fields });
      expectInvalid(await check(code));
      expectInvalid(await accept(code));
      expect(await rejectionsOf(id)).to.deep.equal([
        ['INVITATION_REJECTED', reason],
        ['INVITATION_REJECTED', reason],
      ]);
      const stored = await service().records.query('select role from user_roles where user_id = $1', [
        user.id,
      ]);
      expect(stored).to.deep.equal(roles.map((role) => ({ role })));
    });

  it('returns 403 for a domain that is no longer allowed', async () => {
    const { code } = await invite({ email: uniqueEmail().replace('example.com', 'example.net') });
    expectError(await check(code), 403, 'DOMAIN_NOT_ALLOWED');
    expectError(await accept(code), 403, 'DOMAIN_NOT_ALLOWED');
  });

  it('applies the rules of passwords, and keeps the invitation', async () => {
    const { code, email } = await invite();
    for (const weak of ['short', email])
      expectError(await accept(code, weak), 400, 'VALIDATION_FAILED', '/body/password');
    expect((await accept(code)).status).to.equal(201);
  });

  it('succeeds for one of several at once', async () => {
    const { code } = await invite();
    const responses = await Promise.all([1, 2, 3, 4].map(() => accept(code)));
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([201, 400, 400, 400]);
  });

  it('changes nothing when a record cannot be written', async () => {
    const { code, email } = await invite();
    await withFailing(service().databaseUrl, 'insert', 'mail_outbox', async () => {
      expectError(await accept(code), 500, 'INTERNAL_ERROR');
    });
    expect(await service().records.query('select 1 from users where email = $1', [email])).to.deep.equal([]);
    expect((await accept(code)).status).to.equal(201);
  });

  it('rejects an address that is verified during the request', async () => {
    const { id, code, email } = await invite();
    const { userId } = await service().as('customer').createAccount({ email });
    const verification = 'update users set is_email_verified = true where id = $1';
    const lock = await holdLock(service().databaseUrl, verification, [userId]);
    const accepting = accept(code);
    await lock.commitWhenWaiting(1);
    expectInvalid(await accepting);
    expect(await rejectionsOf(id)).to.deep.equal([['INVITATION_REJECTED', 'account-verified']]);
  });

  it('takes over an account that signs up during the request', async () => {
    const { code, email } = await invite();
    const lock = await holdLock(
      service().databaseUrl,
      "insert into users (email, password_hash) values ($1, 'a stranger''s')",
      [email],
    );
    const accepting = accept(code);
    await lock.commitWhenWaiting(1);
    const { status, body, text } = await accepting;
    expect(status, text).to.equal(201);
    const [user] = await service().records.query(
      `select is_email_verified as "isVerified", password_hash like '$2%' as "isReplaced" from users where id = $1`,
      [body.id],
    );
    expect(user).to.deep.equal({ isVerified: true, isReplaced: true });
  });

  it('is counted', async () => {
    const before = await service().metric('invitation_acceptances_total', { outcome: 'accepted' });
    expect((await accept((await invite()).code)).status).to.equal(201);
    expect(await service().metric('invitation_acceptances_total', { outcome: 'accepted' })).to.equal(
      before + 1,
    );
  });
});

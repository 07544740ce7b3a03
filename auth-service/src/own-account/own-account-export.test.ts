import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, ALL_KINDS, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { type Records, type Role, useRecords } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const NOW = '2026-01-02T03:04:05.678Z';

/** Inserts one row of everything that an account can have, and rows of others that must not appear. */
const addData = async (records: Records, user: { id: string; email: string; employeeId: string }) => {
  const { id, email, employeeId } = user;
  const projectId = await records.project({ ownerId: id, title: 'Mine', status: 'CONTRACTING' });
  const deletedId = await records.project({ ownerId: id, title: 'Deleted', deletedAt: new Date(NOW) });
  await records.project({ title: 'Of another' });
  const teamId = await records.team({ name: 'My team' });
  await records.member(teamId);
  if (employeeId)
    await records.query(
      "insert into team_members (team_id, employee_id, role, status, created_at) values ($1, $2, 'MEMBER', 'INVITED', $3)",
      [teamId, employeeId, NOW],
    );
  await records.query(
    `insert into lead_requests (name, email, company, message, created_at)
     values ('Ada', $1, 'Engines', 'My lead', $2), ('Eve', 'eve@example.com', null, 'Not mine', $2)`,
    [email.toUpperCase(), NOW],
  );
  await records.query(
    `insert into support_requests (email, subject, message) values ($1, 'Broken', 'My question')`,
    [email],
  );
  await records.query(
    "insert into totp_factors (user_id, sealed_secret, enabled_at) values ($1, 'SEALED', $2)",
    [id, NOW],
  );
  await records.query(
    "insert into recovery_codes (user_id, code_hash) values ($1, 'HASH-1'), ($1, 'HASH-2')",
    [id],
  );
  await records.query(
    `insert into passkeys (user_id, credential_id, public_key, counter, name, created_at) values ($1, $2, 'KEY', 7, 'Laptop', $3)`,
    [id, `credential-of-${id}`, NOW],
  );
  await records.query(
    `insert into audit_records (actor_id, action, target_type, target_id, request_id, address, details)
     values (null, 'USER_BLOCKED', 'USER', $1, 'r', '198.51.100.1', '{"reason": "spam"}')`,
    [id],
  );
  return { projectId, deletedId, teamId };
};

describe('account export', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  /** The account signs in before factors are added. */
  const begin = async (kind: (typeof ALL_KINDS)[number]) => {
    const roles: Role[] = kind === ADMINISTRATOR ? ['ADMIN', 'CUSTOMER', 'EMPLOYEE'] : [kind.role as Role];
    const user = await records.user(roles, { isEmailVerified: true });
    const client = service().as(kind);
    const device = await client.openDevice(user);
    return { user, client, device, own: client };
  };

  for (const kind of ALL_KINDS)
    it(`contains everything that is stored about a user, and no secrets, for ${kind.plural}`, async () => {
      const { user, device, own } = await begin(kind);
      const { projectId, deletedId, teamId } = await addData(records, user);
      const { status, body, text, headers } = await own.accountExport(device);
      expect(status, text).to.equal(200);
      expect(headers['cache-control']).to.equal('no-store');

      expect(body.user).to.include({
        id: user.id,
        email: user.email,
        isEmailVerified: true,
        isBlocked: false,
        language: 'en',
      });
      const [customer, employee] = [user.customerId, user.employeeId].map((id) => id || undefined);
      expect([body.profiles.customer?.id, body.profiles.employee?.id]).to.deep.equal([customer, employee]);
      expect(body.sessions).to.have.lengthOf(1);
      expect(body.sessions[0]).to.deep.include({
        methods: ['password'],
        userAgent: null,
        signedInAt: body.user.lastSignInAt,
        refreshedAt: null,
      });
      expect(JSON.stringify(body)).not.to.include(device.fingerprint);
      expect(body.sessions[0].networks).to.have.lengthOf(1);
      expect(body.secondFactor).to.deep.include({ totp: { enabledAt: NOW }, recoveryCodesLeft: 2 });
      expect(body.secondFactor.passkeys).to.have.lengthOf(1);
      expect(body.secondFactor.passkeys[0]).to.deep.include({
        name: 'Laptop',
        createdAt: NOW,
        lastUsedAt: null,
      });
      expect(body.projects.map(({ id }: { id: string }) => id)).to.have.members([projectId, deletedId]);
      expect(body.teams).to.deep.equal(
        user.employeeId
          ? [{ teamId, name: 'My team', role: 'MEMBER', status: 'INVITED', joinedAt: NOW, removedAt: null }]
          : [],
      );
      expect(
        body.contactForms.map(({ kind, message }: Record<string, string>) => [kind, message]),
      ).to.deep.equal([
        ['lead', 'My lead'],
        ['support', 'My question'],
      ]);
      const [block, signIn, ...others] = body.auditRecords;
      expect([signIn?.action, others, body.nextAuditCursor]).to.deep.equal(['SIGNED_IN', [], null]);
      expect(block).to.deep.include({
        action: 'USER_BLOCKED',
        address: null,
        details: { reason: 'spam' },
      });
      expect(text).not.to.match(
        /SEALED|HASH|KEY|credential-of|203\.0\.113\.1|198\.51\.100\.1|Of another|Not mine/,
      );
    });

  it('contains the replies to a form of the user, but no notes, and which sessions stay signed in', async () => {
    const { user, device, own } = await begin(CUSTOMER);
    await addData(records, user);
    await records.query(
      `insert into contact_entries (kind, support_request_id, author_id, text, created_at)
       select kind, r.id, $2, kind || ' on the question', $3 from support_requests r, (values ('note'), ('reply')) as v (kind)
       where lower(r.email) = $1`,
      [user.email, user.id, NOW],
    );
    await records.query('update token_records set stays_signed_in = true where user_id = $1', [user.id]);
    const { body } = await own.accountExport(device);
    expect(body.contactForms.map(({ replies }: { replies: object[] }) => replies)).to.deep.equal([
      [],
      [{ text: 'reply on the question', createdAt: NOW }],
    ]);
    expect(body.sessions[0].staysSignedIn).to.equal(true);
  });

  it('contains the forms of an earlier address, and none from before the address was verified', async () => {
    const { user, device, own } = await begin(CUSTOMER);
    const send = (message: string) =>
      records.query("insert into support_requests (email, subject, message) values ($1, '-', $2)", [
        user.email,
        message,
      ]);
    const setVerified = (isVerified: boolean) =>
      records.query('update users set is_email_verified = $2 where id = $1', [user.id, isVerified]);
    await setVerified(false);
    await send('before');
    await setVerified(true);
    await send('verified');
    await records.query("update users set email = 'new-' || email where id = $1", [user.id]);
    await send('after');
    const { body } = await own.accountExport(device);
    expect(body.contactForms.map(({ message }: Record<string, string>) => message)).to.deep.equal([
      'verified',
    ]);
  });

  it('contains the switch of the second step and the pauses of the account, and no current session', async () => {
    const { user, device, own } = await begin(CUSTOMER);
    const before = (await own.accountExport(device)).body;
    expect([before.user.isSecondStepOn, before.pauses]).to.deep.equal([false, []]);
    expect(before.sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).to.deep.equal([false]);
    await records.query('update users set is_second_step_on = true where id = $1', [user.id]);
    const until = '2126-01-02T03:04:05.678Z';
    await records.query(
      `insert into failed_guesses (subject, secret, scope, waits_until, expires_at)
       select $1, secret, scope, until::timestamptz, 'infinity'
       from (values ('code', 'account', $2), ('password', 'account', $3), ('second-factor', 'network', $2)) as v (secret, scope, until)`,
      [user.id, until, NOW],
    );
    const { body } = await own.accountExport(device);
    expect([body.user.isSecondStepOn, body.pauses]).to.deep.equal([true, [{ secret: 'email-code', until }]]);
  });

  it('lists mails to the user with their state, newest first, without texts', async () => {
    const { user, device, own } = await begin(CUSTOMER);
    const mail = (to: string) => ({ template: 'password-changed', to, changedAt: NOW, secret: 'Some text' });
    const [sentId, waitingId, failedId] = [randomUUID(), randomUUID(), randomUUID()];
    const at = (second: number) => NOW.replace('05.678', `0${second}.678`);
    await records.query(
      `insert into sent_mails (id, user_id, mail, service, recipient, state, recorded_at)
       values ($1, $2, 'service-message', 'projects', $3, 'sent', $4), ($5, $6, 'new-device', null, $3, 'sent', $4)`,
      [sentId, user.id, user.email, at(1), randomUUID(), (await records.user(['CUSTOMER'])).id],
    );
    await records.query(
      `insert into mail_outbox (id, mail, request_id, user_id, created_at, failed_at, failure)
       values ($1, $3, 'r', $4, $5, null, null), ($2, $3, 'r', $4, $5, $6, 'Rejected')`,
      [waitingId, failedId, mail(user.email), user.id, at(2), at(3)],
    );
    const { body, text } = await own.accountExport(device);
    const mine = { mail: 'password-changed', service: null, recipient: user.email };
    expect(body.mails).to.deep.equal([
      { ...mine, id: failedId, state: 'failed', at: at(3), failure: 'Rejected' },
      { ...mine, id: waitingId, state: 'waiting', at: at(2), failure: null },
      {
        ...mine,
        id: sentId,
        mail: 'service-message',
        service: 'projects',
        state: 'sent',
        at: at(1),
        failure: null,
      },
    ]);
    expect(text).not.to.include('Some text');
  });

  it('works for a new account and leaves an audit record', async () => {
    const { user, device, own } = await begin(CUSTOMER);
    const { body } = await own.accountExport(device);
    const nothing = { totp: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false };
    expect(body.secondFactor).to.deep.equal(nothing);
    expect([body.projects, body.teams, body.contactForms]).to.deep.equal([[], [], []]);
    expect(body.auditRecords.map(({ action }: { action: string }) => action)).to.deep.equal(['SIGNED_IN']);
    const [record, ...others] = await records.auditOf(user.id);
    expect(others).to.deep.equal([]);
    expect(record).to.deep.include({
      action: 'ACCOUNT_EXPORTED',
      actorId: user.id,
      details: { kind: CUSTOMER.kind },
    });
    // This export also contains the record of the first one, with the address of its owner.
    const again = await own.accountExport(device);
    expect(again.body.auditRecords).to.have.lengthOf(2);
    expect(again.body.auditRecords[0])
      .to.include({ action: 'ACCOUNT_EXPORTED' })
      .and.to.have.property('address')
      .that.is.a('string');
  });

  it('contains no contact forms of an address that is not verified', async () => {
    const client = service().as('customer');
    const { account, device } = await client.createAccountAndDevice();
    await addData(records, { id: account.userId, email: account.email, employeeId: '' });
    const { body } = await client.accountExport(device);
    expect(body.contactForms).to.deep.equal([]);
  });

  it('contains user agents and the last sign-in, but no notes of the back office', async () => {
    const client = service().as('customer');
    const account = await client.createAccount();
    const administrator = await records.user(['ADMIN']);
    const [former] = await records.query<{ at: Date | null }>(
      'select last_sign_in_at as at from users where id = $1',
      [account.userId],
    );
    expect(former?.at).to.equal(null);
    await records.query('insert into user_notes (user_id, author_id, text) values ($1, $2, $3)', [
      account.userId,
      administrator.id,
      'A secret note',
    ]);
    const headers = { 'User-Agent': 'curl/8.1' };
    const signedIn = await client.signIn({ fingerprint: 'one', body: account, headers });
    const { body, text } = await client.accountExport(client.toDevice(signedIn));
    expect(body.sessions[0]).to.include({ userAgent: 'curl/8.1' });
    expect(body.user.lastSignInAt).to.equal(body.sessions[0].signedInAt);
    expect(text).not.to.include('secret note');
  });

  it('contains a session without tokens, and the profile fields', async () => {
    const client = service().as('employee');
    const account = await client.createAccount({ firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20' });
    await client.signOut(await client.openDevice(account, 'former'));
    const device = await client.openDevice({ email: account.email, password: PASSWORD }, 'current');
    const { body } = await client.accountExport(device);
    expect(body.profiles.employee).to.include({ firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20' });
    const methods = body.sessions.map((session: Record<string, unknown>) => session['methods']);
    expect(methods).to.deep.equal([null, ['password']]);
  });
});

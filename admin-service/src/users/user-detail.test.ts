import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { minutesAgo, useAdminService } from '../../testing/admin-service.ts';

describe('user detail', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const getUser = (id: string) => administrator().getUser({ id });

  it('returns only the customer profile of a customer', async () => {
    const user = await service().records.user(['CUSTOMER'], { firstName: 'Grace' });
    const { status, body } = await getUser(user.id);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id: user.id, email: user.email, roles: ['CUSTOMER'], projects: [] });
    expect(body.profile.employee).to.equal(null);
    const { createdAt, updatedAt, ...profile } = body.profile.customer;
    const fields = { id: user.customerId, userId: user.id, firstName: 'Grace', lastName: null, phone: null };
    expect(profile).to.include(fields);
    for (const time of [createdAt, updatedAt]) expect(time).to.equal(new Date(time).toISOString());
  });

  it('returns both profiles of a customer and employee', async () => {
    const user = await service().records.user(['CUSTOMER', 'EMPLOYEE']);
    const { body } = await getUser(user.id);
    expect(body.profile.customer.id).to.equal(user.customerId);
    expect(body.profile.employee.id).to.equal(user.employeeId);
    expect(body.roles).to.have.members(['CUSTOMER', 'EMPLOYEE']);
  });

  it('returns no profile for a user with a platform role', async () => {
    const { id } = await service().records.user(['ARBITER']);
    const { body } = await getUser(id);
    expect(body).to.deep.include({ roles: ['ARBITER'], profile: { customer: null, employee: null } });
  });

  it('returns blocked users too', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true, isEmailVerified: true });
    const { status, body } = await getUser(id);
    expect(status).to.equal(200);
    expect(body).to.include({ isBlocked: true, isEmailVerified: true });
  });

  it('returns the ways to sign in, the pauses and the last sign-in', async () => {
    const { records } = service();
    const { id } = await records.user(['CUSTOMER'], { language: 'de', lastName: 'Lovelace' });
    const nothing = { totp: false, passkeys: 0, recoveryCodesLeft: 0, isRequired: false };
    expect((await getUser(id)).body).to.deep.include({
      name: 'Ada Lovelace',
      language: 'de',
      lastSignInAt: null,
      hasPassword: true,
      secondFactors: nothing,
      passkeys: [],
      identities: [],
      pauses: [],
      block: null,
      teams: [],
    });
    await addSecondFactor(records, id);
    const [signedInAt, until] = ['2026-01-02T03:04:05.678Z', '2126-01-02T03:04:05.678Z'];
    await records.query('update users set password_hash = null, last_sign_in_at = $2 where id = $1', [
      id,
      signedInAt,
    ]);
    await records.query(
      `insert into identities (user_id, provider, issuer, subject, email, linked_at)
       values ($1::uuid, 'company', 'https://login.example.com', $1::text, 'ada@company.example', $2)`,
      [id, signedInAt],
    );
    for (const [secret, scope, waits] of [
      ['code', 'account', until],
      ['password', 'account', signedInAt],
      ['second-factor', 'network', until],
    ])
      await records.query(
        `insert into failed_guesses (subject, secret, scope, waits_until, expires_at)
         values ($1, $2, $3, $4, 'infinity')`,
        [id, secret, scope, waits],
      );
    const { body, text } = await getUser(id);
    const [{ id: identityId } = {}] = body.identities;
    const [{ id: passkeyId, createdAt, ...passkey }] = body.passkeys;
    for (const each of [identityId, passkeyId]) expect(each).to.match(/^[0-9a-f-]{36}$/);
    expect(Date.parse(createdAt)).to.be.closeTo(Date.now(), 60_000);
    expect(passkey).to.deep.equal({ name: 'Key', lastUsedAt: null });
    expect(body).to.deep.include({
      lastSignInAt: signedInAt,
      hasPassword: false,
      secondFactors: { totp: true, passkeys: 1, recoveryCodesLeft: 2, isRequired: true },
      identities: [
        {
          id: identityId,
          provider: 'company',
          email: 'ada@company.example',
          linkedAt: signedInAt,
          lastUsedAt: null,
        },
      ],
      pauses: [{ secret: 'email-code', until }],
    });
    expect(text).not.to.match(/sealed|login\.example/);
  });

  it('returns the latest block with the first note of its ADMIN in the minute after it, until the next one', async () => {
    const { records } = service();
    const { id } = await records.user(['CUSTOMER']);
    const other = await service().as('ADMIN');
    const note = (text: string, by = administrator()) => by.addUserNote({ id, body: { text } });
    await note('Before');
    await administrator().blockUser({ id });
    await note('Of a colleague', other);
    await note('Account taken over.');
    await note('Later');
    const { block, blockedAt } = (await getUser(id)).body;
    const by = { id: administrator().id, email: administrator().email, name: null };
    expect(block).to.deep.equal({ at: blockedAt, by, note: 'Account taken over.' });
    await administrator().unblockUser({ id });
    expect((await getUser(id)).body.block).to.deep.equal(block);
    await other.blockUser({ id });
    const again = (await getUser(id)).body.block;
    expect(again).to.deep.include({ by: { id: other.id, email: other.email, name: null }, note: null });
    await records.query(
      `update audit_records set created_at = created_at - interval '61 s' where target_id = $1 and action = 'USER_BLOCKED'`,
      [id],
    );
    await records.query(
      `update user_notes set created_at = created_at - interval '61 s' where user_id = $1`,
      [id],
    );
    await note('Too late', other);
    expect((await getUser(id)).body.block.note).to.equal(null);
  });

  it('does not count a set-up of an authenticator app that is not confirmed', async () => {
    const { records } = service();
    const { id } = await records.user(['CUSTOMER']);
    await records.query("insert into totp_factors (user_id, sealed_secret) values ($1, 'sealed')", [id]);
    expect((await getUser(id)).body.secondFactors.totp).to.equal(false);
  });

  it('lists the teams of an employee, with the membership', async () => {
    const { records } = service();
    const { id, employeeId } = await records.user(['EMPLOYEE']);
    const [north, south] = [
      await records.team({ name: 'North Studio' }),
      await records.team({ name: 'South Studio' }),
    ];
    await records.member(south, { employeeId, role: 'ADMINISTRATOR' });
    await records.member(north, { employeeId, status: 'REMOVED' });
    expect((await getUser(id)).body.teams).to.deep.equal([
      { id: north, name: 'North Studio', role: 'MEMBER', status: 'REMOVED' },
      { id: south, name: 'South Studio', role: 'ADMINISTRATOR', status: 'ACTIVE' },
    ]);
  });

  it('lists the user’s projects newest first, without deleted ones', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const old = await records.project({ ownerId, title: 'Old one', createdAt: minutesAgo(9) });
    await records.project({ ownerId, title: 'Deleted one', deletedAt: new Date() });
    const newer = { title: 'New one', status: 'CONTRACTING', category: 'DATA', createdAt: minutesAgo(1) };
    const recent = await records.project({ ownerId, ...newer });
    await records.project({ title: 'Of somebody else' });
    const { projects } = (await getUser(ownerId)).body;
    expect(projects.map(({ id }: { id: string }) => id)).to.deep.equal([recent, old]);
    expect(projects[0]).to.deep.equal({ id: recent, ...newer, createdAt: newer.createdAt.toISOString() });
  });
});

import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectWrongPassword } from '../../testing/second-factor.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('passkeys of the signed-in user', () => {
  const service = useAuthService();

  /** Inserts rows of passkeys that no authenticator has. */
  const fillPasskeys = (userId: string, count: number) =>
    service().records.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, name)
       select $1::uuid, gen_random_uuid()::text, '\\x00', 0, 'Old key' from generate_series(1, $2) n`,
      [userId, count],
    );
  const mailsTo = async (email: string) =>
    (await service().mails.outboxFor(email)).flatMap((mail) => ('change' in mail ? [mail.change] : []));

  const client = () => service().as('customer');

  describe('creation options', () => {
    it('request a discoverable credential without attestation', async () => {
      const { account, device } = await client().openVerifiedAccount();
      const { status, body, headers } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('no-store');
      expect(body.challenge).to.match(/^[\w-]{43}$/);
      expect(body.rp).to.deep.equal({ id: 'localhost', name: 'Marketplace' });
      expect(body.attestation).to.equal('none');
      expect(body.authenticatorSelection).to.include({
        residentKey: 'required',
        userVerification: 'preferred',
      });
      expect(body.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).to.have.members([-7, -8, -257]);
      expect(body.excludeCredentials).to.deep.equal([]);
      expect(body.timeout).to.equal(300_000);
      // The user handle is the id and contains nothing personal.
      expect(Buffer.from(body.user.id, 'base64url').toString('hex')).to.equal(
        account.userId.replaceAll('-', ''),
      );
      expect(body.user.name).to.equal(account.email);
    });

    it('exclude the passkeys that the user has', async () => {
      const { device, authenticator } = await client().openAccountWithPasskey();
      const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
      expect(body.excludeCredentials).to.have.lengthOf(1);
      expect(() => authenticator.create(body)).to.throw('already has a credential');
    });

    it('need the current password', async () => {
      const { device } = await client().openVerifiedAccount();
      expectWrongPassword(
        await client().passkeyOptions({ ...device, body: { currentPassword: WRONG_PASSWORD } }),
      );
    });
  });

  it('adds a passkey, which is audited, mailed and listed', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const authenticator = createSoftwareAuthenticator();
    const { body: options } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    const { status, body, text } = await client().passkeyCreate({
      ...device,
      body: { response: authenticator.create(options), name: 'Phone 📱' },
    });
    expect(status, text).to.equal(201);
    expect(body).to.have.all.keys('id', 'name', 'createdAt', 'lastUsedAt');
    expect(body).to.include({ name: 'Phone 📱', lastUsedAt: null });
    expect(await client().listPasskeys(device)).to.deep.equal([body]);
    const [record] = await service().records.auditOf(account.userId, 'PASSKEY_ADDED');
    expect(record).to.include({ actorId: account.userId, targetType: 'USER' });
    expect(record?.details).to.deep.equal({ kind: CUSTOMER.kind, passkeyId: body.id });
    expect(await mailsTo(account.email)).to.deep.equal(['passkey-added']);
  });

  it('adds a passkey without ending a session and without asking for it at the next sign-in', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const other = await client().openDevice(account);
    await client().addPasskey(device);
    await client().expectSignedIn(other);
    const refreshed = await client().expectSignedIn(device);
    expect(await client().readMethods(refreshed)).to.deep.equal(['password']);
    await client().openDevice(account);
  });

  it('renames a passkey, which is audited', async () => {
    const { account, device, passkeyId } = await client().openAccountWithPasskey();
    const { status, body } = await client().passkeyRename({
      ...device,
      passkeyId,
      body: { name: 'Old phone' },
    });
    expect(status).to.equal(200);
    expect(body).to.include({ id: passkeyId, name: 'Old phone' });
    expect(await client().listPasskeys(device)).to.deep.equal([body]);
    expect((await service().records.auditOf(account.userId, 'PASSKEY_RENAMED'))[0]?.details).to.deep.equal({
      kind: CUSTOMER.kind,
      passkeyId,
    });
    expect(await mailsTo(account.email)).to.deep.equal(['passkey-added']);
  });

  it('accepts names of 1 to 64 characters', async () => {
    const { device, passkeyId } = await client().openAccountWithPasskey();
    expect(
      (await client().passkeyRename({ ...device, passkeyId, body: { name: '📱'.repeat(64) } })).status,
    ).to.equal(200);
    const { status, body } = await client().passkeyRename({
      ...device,
      passkeyId,
      body: { name: ` ${'x'.repeat(64)} ` },
    });
    expect(status).to.equal(200);
    expect(body.name).to.equal('x'.repeat(64));
    for (const name of ['', ' \u200d', 'x'.repeat(65), 'a\0b', 'a\nb', 'a\u202eb'])
      expect(
        (await client().passkeyRename({ ...device, passkeyId, body: { name } })).body.code,
        name,
      ).to.equal('VALIDATION_FAILED');
  });

  it('removes a passkey with the password alone, and ends no session, while no second step is due', async () => {
    const { account, device, passkeyId } = await client().openAccountWithPasskey();
    const other = await client().openDevice(account);
    const { status, text } = await client().passkeyDelete({ ...device, passkeyId, body: CONFIRMATION });
    expect({ status, text }).to.deep.equal({ status: 204, text: '' });
    expect(await client().listPasskeys(device)).to.deep.equal([]);
    expect((await service().records.auditOf(account.userId, 'PASSKEY_REMOVED'))[0]?.details).to.deep.equal({
      kind: CUSTOMER.kind,
      passkeyId,
    });
    expect(await mailsTo(account.email)).to.deep.equal(['passkey-added', 'passkey-removed']);
    await client().expectSignedIn(other);
  });

  it('keeps the passkey when the password is wrong', async () => {
    const { account, device, passkeyId } = await client().openAccountWithPasskey();
    const response = await client().passkeyDelete({
      ...device,
      passkeyId,
      body: { currentPassword: WRONG_PASSWORD },
    });
    expectWrongPassword(response);
    expect(await client().listPasskeys(device)).to.have.lengthOf(1);
    expect(await mailsTo(account.email)).to.deep.equal(['passkey-added']);
  });

  it('returns 404 for a passkey of another user, a removed and an unknown one', async () => {
    const [mine, foreign] = [
      await client().openAccountWithPasskey(),
      await client().openAccountWithPasskey(),
    ];
    const { passkeyId: removed } = await client().addPasskey(mine.device);
    expect(
      (await client().passkeyDelete({ ...mine.device, passkeyId: removed, body: CONFIRMATION })).status,
    ).to.equal(204);
    for (const id of [foreign.passkeyId, removed, UNKNOWN_ID]) {
      expectError(
        await client().passkeyRename({ ...mine.device, passkeyId: id, body: { name: 'Mine' } }),
        404,
        'PASSKEY_NOT_FOUND',
      );
      expectError(
        await client().passkeyDelete({ ...mine.device, passkeyId: id, body: CONFIRMATION }),
        404,
        'PASSKEY_NOT_FOUND',
      );
    }
    expect((await client().listPasskeys(foreign.device)).map(({ name }) => name)).to.deep.equal(['My phone']);
  });

  it('returns 409 for a credential that is registered for any account', async () => {
    const owner = await client().openAccountWithPasskey();
    const [credentialId] = await service()
      .records.query<{ id: string }>('select credential_id as id from passkeys where id = $1', [
        owner.passkeyId,
      ])
      .then((rows) => rows.map(({ id }) => id));
    for (const { device } of [owner, await client().openVerifiedAccount()]) {
      const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
      const copy = createSoftwareAuthenticator().create(body, {
        credentialId: credentialId ?? '',
      });
      expectError(
        await client().passkeyCreate({ ...device, body: { response: copy, name: 'My phone' } }),
        409,
        'PASSKEY_TAKEN',
      );
    }
    expect((await client().signInWithPasskey(owner.authenticator)).status).to.equal(200);
  });

  it('allows twenty passkeys', async () => {
    const { account, device } = await client().openVerifiedAccount();
    await fillPasskeys(account.userId, 19);
    const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    await fillPasskeys(account.userId, 1);
    const response = createSoftwareAuthenticator().create(body);
    expectError(
      await client().passkeyCreate({ ...device, body: { response, name: 'My phone' } }),
      409,
      'PASSKEY_LIMIT_REACHED',
    );
    expectError(
      await client().passkeyOptions({ ...device, body: CONFIRMATION }),
      409,
      'PASSKEY_LIMIT_REACHED',
    );
    expect(await client().listPasskeys(device)).to.have.lengthOf(20);
  });
});

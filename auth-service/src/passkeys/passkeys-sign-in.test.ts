import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { expectError } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useCodeService } from '../../testing/code-service.ts';
import { createPasskeyUsers, FORGED_ASSERTIONS } from '../../testing/passkey-service.ts';
import { expectFactorInvalid } from '../../testing/second-factor-account.ts';

describe('sign-in with a passkey', () => {
  const service = useCodeService();

  const users = createPasskeyUsers(service, CUSTOMER);
  const { passkeys, client, addOwner, list, auditOf } = users;
  const optionsFor = async (fingerprint: string) => (await passkeys().signInOptions(fingerprint)).body;

  it('returns options that name no account and require user verification', async () => {
    const { status, body, headers } = await passkeys().signInOptions('device');
    expect(status).to.equal(200);
    expect(headers['cache-control']).to.equal('no-store');
    expect(body).to.have.all.keys('challenge', 'rpId', 'timeout', 'userVerification');
    expect(body).to.include({ rpId: 'localhost', timeout: 300_000, userVerification: 'required' });
    expect(body.challenge).to.match(/^[\w-]{43}$/);
    expect((await passkeys().signInOptions('device')).body.challenge).not.to.equal(body.challenge);
  });

  it('opens a session as the sign-in with a password does', async () => {
    const { account, device, authenticator, passkeyId } = await addOwner();
    const response = await passkeys().signInWith(authenticator, device.fingerprint);
    expect(response.status, response.text).to.equal(200);
    expect(response.body).to.have.all.keys('token', 'session', 'user');
    expect(response.body.user).to.include({ id: account.userId, email: account.email });
    const again = client().toDevice(response);
    expect(again.sessionId).to.equal(device.sessionId);
    const refreshed = await client().expectSignedIn(again);
    expectError(await client().me(device), 401, 'TOKEN_INVALID');
    expect(await users.methodsOf(refreshed)).to.deep.equal(['passkey']);
    const [listed] = await list(refreshed);
    expect(listed?.id).to.equal(passkeyId);
    expect(Date.now() - Date.parse(listed?.lastUsedAt ?? '')).to.be.below(60_000);
  });

  it('accepts an authenticator that does not count its signatures', async () => {
    const { authenticator } = await addOwner(
      createSoftwareAuthenticator(PASSKEY_ORIGIN, { hasCounter: false }),
    );
    for (let use = 1; use <= 3; use += 1)
      expect((await passkeys().signInWith(authenticator)).status, `use ${use}`).to.equal(200);
  });

  for (const [name, overrides] of FORGED_ASSERTIONS)
    it(`rejects an assertion ${name}`, async () => {
      const { authenticator } = await addOwner();
      const fingerprint = uniqueFingerprint();
      const forged = authenticator.get(await optionsFor(fingerprint), overrides);
      const response = await passkeys().signIn(forged, fingerprint);
      expectFactorInvalid(response);
      const failures = "select 1 from audit_records where action = 'SIGN_IN_FAILED' and request_id = $1";
      expect(await service().records.query(failures, [response.headers['x-request-id']])).to.deep.equal([]);
      expect((await passkeys().signInWith(authenticator, fingerprint)).status).to.equal(200);
    });

  it('returns 404 for an unknown passkey, which the browser may then forget', async () => {
    const unknown = createSoftwareAuthenticator(PASSKEY_ORIGIN);
    unknown.create({
      ...(await passkeys().creationOptions((await addOwner()).device)).body,
      excludeCredentials: [],
    });
    const fingerprint = uniqueFingerprint();
    expectError(await passkeys().signInWith(unknown, fingerprint), 404, 'PASSKEY_NOT_FOUND');
    expectFactorInvalid(
      await passkeys().signIn(unknown.get(await optionsFor('another device')), fingerprint),
    );
  });

  it('rejects a signature counter that goes back or stays, and audits it', async () => {
    const { account, authenticator, passkeyId } = await addOwner();
    for (const [counter, status] of [
      [7, 200],
      [7, 401],
      [6, 401],
      [0, 401],
      [8, 200],
    ] as const) {
      const assertion = authenticator.get(await optionsFor('device'), { counter });
      expect((await passkeys().signIn(assertion, 'device')).status, `counter ${counter}`).to.equal(status);
    }
    const records = await auditOf(account.userId, 'SIGN_IN_FAILED');
    expect(records.map(({ details }) => details)).to.deep.equal(
      Array(3).fill({ kind: CUSTOMER.kind, step: 'passkey', passkeyId, reason: 'signature-counter' }),
    );
  });

  it('returns USER_BLOCKED for a blocked user, after the assertion was verified', async () => {
    const { account, authenticator } = await addOwner();
    await service().records.block(account.userId);
    expectError(await passkeys().signInWith(authenticator), 401, 'USER_BLOCKED');
    const forged = authenticator.get(await optionsFor('device'), { tamperSignature: true });
    expectFactorInvalid(await passkeys().signIn(forged, 'device'));
    await service().records.block(account.userId, false);
    expect((await passkeys().signInWith(authenticator)).status).to.equal(200);
  });

  it('rejects malformed assertions without an internal error', async () => {
    const { authenticator } = await addOwner();
    const assertion = authenticator.get(await optionsFor('device'));
    const change = (response: object) => ({
      ...assertion,
      response: { ...assertion.response, ...response },
    });
    for (const invalid of [
      {},
      { ...assertion, id: '' },
      { ...assertion, id: 'ü' },
      { ...assertion, response: [] },
      change({ signature: '' }),
      change({ authenticatorData: 'x'.repeat(9_000) }),
      change({ userHandle: '\0' }),
    ])
      expectError(await passkeys().signIn(invalid, 'device'), 400, 'VALIDATION_FAILED');
    for (const wrong of [
      { signature: 'AAAA' },
      { authenticatorData: 'AAAA' },
      { authenticatorData: 'A'.repeat(8_000) },
      { clientDataJSON: 'bnVsbA' },
      { clientDataJSON: 'AAAA' },
    ]) {
      const { body } = await passkeys().signInOptions('device');
      const valid = authenticator.get(body);
      const response = await passkeys().signIn(
        { ...valid, response: { ...valid.response, ...wrong } },
        'device',
      );
      expectFactorInvalid(response);
    }
  });

  it('increases the metric of its outcome with the method passkey', async () => {
    const { account, authenticator } = await addOwner();
    const count = (outcome: string) =>
      service().metric('sign_ins_total', { kind: CUSTOMER.kind, outcome, method: 'passkey' });
    const [successes, failures, blocked] = [
      await count('success'),
      await count('failure'),
      await count('blocked'),
    ];
    await passkeys().signInWith(authenticator);
    await passkeys().signIn(authenticator.get(await optionsFor('device')), 'another device');
    await service().records.block(account.userId);
    await passkeys().signInWith(authenticator);
    expect([await count('success'), await count('failure'), await count('blocked')]).to.deep.equal([
      successes + 1,
      failures + 1,
      blocked + 1,
    ]);
  });

  describe('of a user with two kinds', () => {
    const customers = createPasskeyUsers(service, CUSTOMER);
    const administrators = createPasskeyUsers(service, ADMINISTRATOR);

    it('signs in as either kind with the same passkey', async () => {
      const { account, authenticator } = await customers.addOwner();
      await service().records.giveRole(account.userId, 'ADMIN');
      for (const { client, passkeys } of [customers, administrators])
        await client().expectSignedIn(client().toDevice(await passkeys().signInWith(authenticator)));
    });

    it('rejects the passkey of a user without a profile of the kind, and audits it', async () => {
      const { account, authenticator } = await administrators.addOwner();
      const response = await customers.passkeys().signInWith(authenticator);
      expectFactorInvalid(response);
      const [record] = await customers.auditOf(account.userId, 'SIGN_IN_FAILED');
      expect(record?.details).to.include({ kind: 'customer', step: 'passkey' });
    });

    it('returns PLATFORM_ROLE_INVALID for a user who is no administrator', async () => {
      const { authenticator } = await customers.addOwner();
      const response = await administrators.passkeys().signInWith(authenticator);
      expectError(response, 403, 'PLATFORM_ROLE_INVALID');
    });

    it('returns DOMAIN_NOT_ALLOWED for an administrator outside of the allowed domains', async () => {
      const { account, authenticator } = await administrators.addOwner();
      await service().records.query("update users set email = id || '@elsewhere.test' where id = $1", [
        account.userId,
      ]);
      const response = await administrators.passkeys().signInWith(authenticator);
      expectError(response, 403, 'DOMAIN_NOT_ALLOWED');
    });
  });
});

import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, uniqueFingerprint } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { FORGED_ASSERTIONS } from '../../testing/forged-assertions.ts';
import { expectFactorInvalid } from '../../testing/second-factor.ts';

describe('sign-in with a passkey', () => {
  const service = useAuthService();

  const client = () => service().as('customer');
  const optionsFor = async (fingerprint: string) =>
    (await client().signInPasskeyOptions({ fingerprint })).body;

  it('returns options that name no account and require user verification', async () => {
    const { status, body, headers } = await client().signInPasskeyOptions({ fingerprint: 'device' });
    expect(status).to.equal(200);
    expect(headers['cache-control']).to.equal('no-store');
    expect(body).to.have.all.keys('challenge', 'rpId', 'timeout', 'userVerification');
    expect(body).to.include({ rpId: 'localhost', timeout: 300_000, userVerification: 'required' });
    expect(body.challenge).to.match(/^[\w-]{43}$/);
    expect((await client().signInPasskeyOptions({ fingerprint: 'device' })).body.challenge).not.to.equal(
      body.challenge,
    );
  });

  it('opens a session as the sign-in with a password does', async () => {
    const { account, device, authenticator, passkeyId } = await client().openAccountWithPasskey();
    const response = await client().signInWithPasskey(authenticator, device.fingerprint);
    expect(response.status, response.text).to.equal(200);
    expect(response.body).to.have.all.keys('token', 'session', 'user');
    expect(response.body.user).to.include({ id: account.userId, email: account.email });
    const again = client().toDevice(response);
    expect(again.sessionId).to.equal(device.sessionId);
    const refreshed = await client().expectSignedIn(again);
    expectError(await client().me(device), 401, 'TOKEN_INVALID');
    expect(await client().readMethods(refreshed)).to.deep.equal(['passkey']);
    const [listed] = await client().listPasskeys(refreshed);
    expect(listed?.id).to.equal(passkeyId);
    expect(Date.now() - Date.parse(listed?.lastUsedAt ?? '')).to.be.below(60_000);
  });

  it('takes members that are null, and an empty user handle, as absent', async () => {
    const { device } = await client().openVerifiedAccount();
    const authenticator = createSoftwareAuthenticator();
    const { body: creation } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    const absent = { authenticatorAttachment: null };
    const created = { ...authenticator.create(creation), ...absent };
    const nullable = { authenticatorData: null, publicKey: null, transports: null, publicKeyAlgorithm: null };
    const registered = await client().passkeyCreate({
      ...device,
      body: { name: 'My phone', response: { ...created, response: { ...created.response, ...nullable } } },
    });
    expect(registered.status, registered.text).to.equal(201);

    const { fingerprint } = device;
    const response = { ...authenticator.get(await optionsFor(fingerprint)), ...absent };
    const signedIn = await client().signInPasskey({ fingerprint, body: { response } });
    expect(signedIn.status, signedIn.text).to.equal(200);
  });

  it('accepts an authenticator that does not count its signatures', async () => {
    const { authenticator } = await client().openAccountWithPasskey({
      authenticator: createSoftwareAuthenticator(undefined, { hasCounter: false }),
    });
    for (let use = 1; use <= 3; use += 1)
      expect((await client().signInWithPasskey(authenticator)).status, `use ${use}`).to.equal(200);
  });

  for (const [name, overrides] of FORGED_ASSERTIONS)
    it(`rejects an assertion ${name}`, async () => {
      const { authenticator } = await client().openAccountWithPasskey();
      const fingerprint = uniqueFingerprint();
      const forged = authenticator.get(await optionsFor(fingerprint), overrides);
      const response = await client().signInPasskey({ fingerprint, body: { response: forged } });
      expectFactorInvalid(response);
      const failures = "select 1 from audit_records where action = 'SIGN_IN_FAILED' and request_id = $1";
      expect(await service().records.query(failures, [response.headers['x-request-id']])).to.deep.equal([]);
      expect((await client().signInWithPasskey(authenticator, fingerprint)).status).to.equal(200);
    });

  it('returns 404 for an unknown passkey, which the browser may then forget', async () => {
    const unknown = createSoftwareAuthenticator();
    unknown.create({
      ...(
        await client().passkeyOptions({
          ...(
            await client().openAccountWithPasskey()
          ).device,
          body: CONFIRMATION,
        })
      ).body,
      excludeCredentials: [],
    });
    const fingerprint = uniqueFingerprint();
    expectError(await client().signInWithPasskey(unknown, fingerprint), 404, 'PASSKEY_NOT_FOUND');
    expectFactorInvalid(
      await client().signInPasskey({
        fingerprint,
        body: { response: unknown.get(await optionsFor('another device')) },
      }),
    );
  });

  it('rejects a signature counter that goes back or stays, and audits it', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    for (const [counter, status] of [
      [7, 200],
      [7, 401],
      [6, 401],
      [0, 401],
      [8, 200],
    ] as const) {
      const assertion = authenticator.get(await optionsFor('device'), { counter });
      expect(
        (await client().signInPasskey({ fingerprint: 'device', body: { response: assertion } })).status,
        `counter ${counter}`,
      ).to.equal(status);
    }
    const details = { kind: CUSTOMER.kind, step: 'passkey', reason: 'WRONG_FACTOR' };
    await service().records.waitForFailedSignIn(account.userId, details, 3);
  });

  it('returns USER_BLOCKED for a blocked user, after the assertion was verified', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    await service().records.block(account.userId);
    expectError(await client().signInWithPasskey(authenticator), 401, 'USER_BLOCKED');
    const forged = authenticator.get(await optionsFor('device'), { tamperSignature: true });
    expectFactorInvalid(await client().signInPasskey({ fingerprint: 'device', body: { response: forged } }));
    await service().records.block(account.userId, false);
    expect((await client().signInWithPasskey(authenticator)).status).to.equal(200);
  });

  it('rejects malformed assertions without an internal error', async () => {
    const { authenticator } = await client().openAccountWithPasskey();
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
      expectError(
        await client().signInPasskey({ fingerprint: 'device', body: { response: invalid } }),
        400,
        'VALIDATION_FAILED',
      );
    for (const wrong of [
      { signature: 'AAAA' },
      { authenticatorData: 'AAAA' },
      { authenticatorData: 'A'.repeat(8_000) },
      { clientDataJSON: 'bnVsbA' },
      { clientDataJSON: 'AAAA' },
    ]) {
      const { body } = await client().signInPasskeyOptions({ fingerprint: 'device' });
      const valid = authenticator.get(body);
      const response = await client().signInPasskey({
        fingerprint: 'device',
        body: { response: { ...valid, response: { ...valid.response, ...wrong } } },
      });
      expectFactorInvalid(response);
    }
  });

  it('increases the metric of its outcome with the method passkey', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    const count = (outcome: string) =>
      service().metric('sign_ins_total', { kind: CUSTOMER.kind, outcome, method: 'passkey' });
    const [successes, failures, blocked] = [
      await count('success'),
      await count('failure'),
      await count('blocked'),
    ];
    await client().signInWithPasskey(authenticator);
    await client().signInPasskey({
      fingerprint: 'another device',
      body: { response: authenticator.get(await optionsFor('device')) },
    });
    await service().records.block(account.userId);
    await client().signInWithPasskey(authenticator);
    expect([await count('success'), await count('failure'), await count('blocked')]).to.deep.equal([
      successes + 1,
      failures + 1,
      blocked + 1,
    ]);
  });

  describe('of a user with two kinds', () => {
    const customers = () => service().as('customer');
    const administrators = () => service().as('administrator');

    it('signs in as either kind with the same passkey', async () => {
      const { account, authenticator } = await customers().openAccountWithPasskey();
      await service().records.giveRole(account.userId, 'ADMIN');
      for (const client of [customers, administrators])
        await client().expectSignedIn(client().toDevice(await client().signInWithPasskey(authenticator)));
    });

    it('rejects the passkey of a user without a profile of the kind, and audits it', async () => {
      const { account, authenticator } = await administrators().openAccountWithPasskey();
      const response = await customers().signInWithPasskey(authenticator);
      expectFactorInvalid(response);
      await service().records.waitForFailedSignIn(account.userId, { kind: 'customer', step: 'passkey' });
    });

    it('returns PLATFORM_ROLE_INVALID for a user who is no administrator', async () => {
      const { authenticator } = await customers().openAccountWithPasskey();
      const response = await administrators().signInWithPasskey(authenticator);
      expectError(response, 403, 'PLATFORM_ROLE_INVALID');
    });

    it('returns DOMAIN_NOT_ALLOWED for an administrator outside of the allowed domains', async () => {
      const { account, authenticator } = await administrators().openAccountWithPasskey();
      await service().records.query("update users set email = id || '@elsewhere.test' where id = $1", [
        account.userId,
      ]);
      const response = await administrators().signInWithPasskey(authenticator);
      expectError(response, 403, 'DOMAIN_NOT_ALLOWED');
    });
  });
});

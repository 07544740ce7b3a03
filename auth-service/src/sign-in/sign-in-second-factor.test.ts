import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { expectError, observable } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { addKind, useAuthService } from '../../testing/auth-service.ts';
import {
  expectChallengeInvalid,
  expectFactorInvalid,
  forgetUsedStep,
  WRONG_CODE,
} from '../../testing/second-factor.ts';

describe('sign-in with a second factor', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const createAccount = () => service().as('customer').openAccountWithTotp();
  const finish = (waiting: { challenge: string; fingerprint: string }, proof: object) =>
    client().signInSecondFactor({
      fingerprint: waiting.fingerprint,
      body: { challenge: waiting.challenge, ...proof },
    });

  it('returns a challenge for the password, and the response of a sign-in for the code', async () => {
    const { account, secret } = await createAccount();
    const fingerprint = uniqueFingerprint();
    const first = await client().signIn({ fingerprint, body: account });
    const challenge = readChallenge(first);
    expect(challenge).to.match(/^[\w-]{43}$/);
    expect(first.body.factors).to.deep.equal(['totp', 'recovery-code']);
    expect(first.headers['www-authenticate']).to.equal('Bearer');
    expect(parseSetCookies(first)).to.deep.equal([]);

    const second = await finish({ challenge, fingerprint }, { totpCode: totpCode(secret, 1) });
    expect(Object.keys(second.body)).to.have.members(['token', 'session', 'user']);
    expect(second.body.user.id).to.equal(account.userId);
    expect(second.body.session.fingerprint).to.equal(fingerprint);
    await client().expectSignedIn(client().toDevice(second));
  });

  it('accepts a recovery code once, in any letter case and grouping, with characters that nobody sees', async () => {
    const { account, recoveryCodes } = await createAccount();
    const [first = '', second = ''] = recoveryCodes;
    const recoveryCode = `\u200b ${first.toUpperCase().replace(/(.{4})(.{3})/, '$1-$2 ')}`;
    const signedIn = await finish(await service().as('customer').startSignIn(account), { recoveryCode });
    const device = client().toDevice(signedIn);
    expect((await client().secondFactor(device)).body.recoveryCodesLeft).to.equal(9);
    expectFactorInvalid(await finish(await service().as('customer').startSignIn(account), { recoveryCode }));
    client().toDevice(
      await finish(await service().as('customer').startSignIn(account), { recoveryCode: second }),
    );
    const changes = (await service().mails.outboxFor(account.email)).flatMap((mail) =>
      'change' in mail ? [mail.change] : [],
    );
    expect(changes).to.deep.equal(['totp-enabled', 'recovery-code-used', 'recovery-code-used']);
  });

  it('accepts a code once, and no code of an earlier step afterwards', async () => {
    const { account, secret, usedCode } = await createAccount();
    const next = totpCode(secret, 1);
    const signIn = async (code: string) =>
      await finish(await service().as('customer').startSignIn(account), { totpCode: code });
    expectFactorInvalid(await signIn(usedCode));
    client().toDevice(await signIn(next));
    expectFactorInvalid(await signIn(next));
    expectFactorInvalid(await signIn(usedCode));
    await forgetUsedStep(service().databaseUrl, account.userId);
    client().toDevice(await signIn(usedCode));
  });

  it('lists how each session was signed in, also after a refresh', async () => {
    const { account, device, secret, recoveryCodes } = await createAccount();
    const byCode = client().toDevice(
      await finish(await service().as('customer').startSignIn(account), { totpCode: totpCode(secret, 1) }),
    );
    client().toDevice(
      await finish(await service().as('customer').startSignIn(account), { recoveryCode: recoveryCodes[0] }),
    );
    const { body } = await client().listSessions(await client().refreshed(byCode));
    expect(body.data.map(({ methods }: { methods: string[] }) => methods)).to.deep.equal([
      ['password', 'recovery-code'],
      ['password', 'totp'],
      ['password', 'totp'],
    ]);
    await client().expectSignedIn(device);
  });

  it('names the reason when the body proves none or several factors', async () => {
    const { account, recoveryCodes } = await createAccount();
    const waiting = await service().as('customer').startSignIn(account);
    const [recoveryCode] = recoveryCodes;
    for (const proof of [{}, { totpCode: WRONG_CODE, recoveryCode }])
      expectError(await finish(waiting, proof), 400, 'VALIDATION_FAILED', '/body');
    const withoutDevice = { challenge: waiting.challenge, recoveryCode };
    expectError(
      await client().signInSecondFactor({ body: withoutDevice }),
      400,
      'VALIDATION_FAILED',
      '/headers/x-fingerprint',
    );
    expectError(
      await client().signInSecondFactor({ fingerprint: 'x', body: {} }),
      400,
      'VALIDATION_FAILED',
      '/body/challenge',
    );
    client().toDevice(await finish(waiting, { recoveryCode }));
  });

  it('changes no response for a wrong password, an unknown account and one without a factor', async () => {
    const withFactor = (await createAccount()).account;
    const without = await client().createAccount();
    const wrong = async (email: string) =>
      observable(await client().signIn({ fingerprint: 'device', body: { email, password: WRONG_PASSWORD } }));
    const expected = await wrong(uniqueEmail());
    expect(await wrong(withFactor.email)).to.deep.equal(expected);
    expect(await wrong(without.email)).to.deep.equal(expected);
    const keys = async () => Object.keys(await service().redis.dump()).filter((key) => /challenge/.test(key));
    const before = await keys();
    const { body } = await client().signIn({ fingerprint: uniqueFingerprint(), body: without });
    expect(Object.keys(body)).to.have.members(['token', 'session', 'user']);
    expect(await keys()).to.deep.equal(before);
  });

  it('records a wrong factor in the audit log, and no secret in Redis', async () => {
    const { account, recoveryCodes } = await createAccount();
    const waiting = await service().as('customer').startSignIn(account);
    expectFactorInvalid(await finish(waiting, { totpCode: WRONG_CODE }));
    const stored = JSON.stringify(await service().redis.dump());
    expect(stored).to.include('sign-in-challenge:');
    for (const text of [waiting.challenge, waiting.fingerprint, account.email])
      expect(stored).not.to.include(text);
    client().toDevice(await finish(waiting, { recoveryCode: recoveryCodes[0] }));
    const details = { step: 'second-factor', reason: 'WRONG_FACTOR', methods: [], isNewDevice: true };
    await service().records.waitForFailedSignIn(account.userId, details);
    const found = await service().records.auditOf(account.userId, 'TOTP_ENABLED', 'RECOVERY_CODE_USED');
    expect(found.map(({ action, actorId, details }) => ({ action, actorId, details }))).to.deep.equal([
      { action: 'TOTP_ENABLED', actorId: account.userId, details: { kind: CUSTOMER.kind } },
      { action: 'RECOVERY_CODE_USED', actorId: account.userId, details: { kind: CUSTOMER.kind } },
    ]);
  });
});

describe('second factor of a user of two kinds', () => {
  const service = useAuthService();

  it('that was set up as one kind is required for the other kind too', async () => {
    const { account, secret } = await service().as('customer').openAccountWithTotp();
    await addKind(service().records, account.userId, EMPLOYEE.kind);
    const { challenge, fingerprint } = await service().as('employee').startSignIn(account);
    const body = { challenge, totpCode: totpCode(secret, 1) };
    expectChallengeInvalid(await service().as('customer').signInSecondFactor({ fingerprint, body }));
    const client = service().as('employee');
    const device = client.toDevice(await client.signInSecondFactor({ fingerprint, body }));
    expect((await client.secondFactor(device)).body.recoveryCodesLeft).to.equal(10);
  });
});

import { type AccountKind, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { lockUser } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { withFailing } from '@platform/shared/testing/query-database';
import { type AuditRow, useRecords } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';
import {
  attemptSignIn,
  createNetworks,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  range,
} from '../../testing/sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';
const ORIGIN = { 'X-Request-Id': 'account-audit-1', 'X-Forwarded-For': '203.0.113.81' };

describe('account audit records', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  const client = () => service().as('customer');
  const toVerify = async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    return { account, device, code: await service().mails.codeFor(account.email) };
  };
  const reset = async (email: string, newPassword = NEW_PASSWORD) => {
    const body = { email, code: await service().as('customer').requestResetCode(email), newPassword };
    return () =>
      send(service().url, 'POST', `${CUSTOMER.path}/reset-password/email/code`, { headers: ORIGIN, body });
  };
  const recordOf = (action: string, userId: string, actorId: string | null) => ({
    action,
    actorId,
    targetType: 'USER',
    targetId: userId,
    requestId: ORIGIN['X-Request-Id'],
    address: ORIGIN['X-Forwarded-For'],
    details: { kind: CUSTOMER.kind },
  });
  const recordsOf = async (userId: string): Promise<Omit<AuditRow, 'createdAt'>[]> =>
    (await records.auditOf(userId)).map(({ createdAt: _createdAt, ...record }) => record);

  it('records a password change with the user as the actor', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await client().resetPasswordMe({ ...device, body, headers: ORIGIN })).status).to.equal(204);
    expect(await recordsOf(account.userId)).to.deep.equal([
      recordOf('PASSWORD_CHANGED', account.userId, account.userId),
    ]);
  });

  it('records how many sessions a change of the password or of the factors has ended', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const countOf = async (action: string) =>
      (await records.auditOf(account.userId, action)).map(({ details }) => details['count']);
    await client().openDevice(account);
    await client().openDevice(account);
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await client().resetPasswordMe({ ...device, body })).status).to.equal(204);
    expect(await countOf('PASSWORD_CHANGED')).to.deep.equal([2]);
    expect((await (await reset(account.email, PASSWORD))()).status).to.equal(204);
    expect(await countOf('PASSWORD_RESET')).to.deep.equal([1]);
    const first = await client().openDevice(account);
    await client().openDevice(account);
    await client().enableTotp(first);
    expect(await countOf('TOTP_ENABLED')).to.deep.equal([1]);
  });

  it('records a password reset by code and the verification without an actor', async () => {
    const { userId, email } = await client().createAccount();
    expect((await (await reset(email))()).status).to.equal(204);
    expect(await recordsOf(userId)).to.deep.equal([
      recordOf('EMAIL_VERIFIED', userId, null),
      recordOf('PASSWORD_RESET', userId, null),
    ]);
    await service().redis.passTime(120);
    expect((await (await reset(email, PASSWORD))()).status).to.equal(204);
    expect((await recordsOf(userId)).map(({ action }) => action)).to.deep.equal([
      'EMAIL_VERIFIED',
      'PASSWORD_RESET',
      'PASSWORD_RESET',
    ]);
  });

  it('records a verification once, with the user as the actor', async () => {
    const { account, device, code } = await toVerify();
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: getOtherCode(code) } }),
      400,
      'CODE_INVALID',
    );
    expect(
      (await client().verificationEmailCodeCheck({ ...device, body: { code }, headers: ORIGIN })).status,
    ).to.equal(200);
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code } }),
      409,
      'EMAIL_ALREADY_VERIFIED',
    );
    expect(await recordsOf(account.userId)).to.deep.equal([
      recordOf('EMAIL_VERIFIED', account.userId, account.userId),
    ]);
  });

  for (const first of ['verification', 'reset'] as const)
    it(`records one verification when verification and reset are concurrent, ${first} first`, async () => {
      const { account, device, code } = await toVerify();
      const resetNow = await reset(account.email);
      const lock = await lockUser(service().databaseUrl, account.userId);
      const verify = () => client().verificationEmailCodeCheck({ ...device, body: { code } });
      const [one, other] = first === 'reset' ? [resetNow, verify] : [verify, resetNow];
      const pending = [one()];
      await lock.untilWaiting(1);
      pending.push(other());
      await lock.releaseWhenWaiting(2);
      for (const { status, text } of await Promise.all(pending)) expect(status, text).to.be.below(300);
      const actions = (await recordsOf(account.userId)).map(({ action }) => action).sort();
      expect(actions).to.deep.equal(['EMAIL_VERIFIED', 'PASSWORD_RESET']);
    });

  it('does not verify the e-mail when the record cannot be written', async () => {
    const { device, code } = await toVerify();
    await withFailing(service().databaseUrl, 'insert', 'audit_records', async () =>
      expectError(
        await client().verificationEmailCodeCheck({ ...device, body: { code } }),
        500,
        'INTERNAL_ERROR',
      ),
    );
    expect((await client().verificationEmailCheck(device)).body).to.deep.equal({ verified: false });
  });
});

describe('audit records of refresh tokens', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  it('records a reused refresh token once', async () => {
    const client = service().as('customer');
    const account = await service().as('customer').createAccount();
    const old = await client.openDevice(account);
    const latest = await client.refreshed(await client.refreshed(old));
    const headers = { 'X-Request-Id': 'reuse-1', 'X-Forwarded-For': '203.0.113.80' };
    expectError(await client.refreshToken({ ...old, headers }), 401, 'REFRESH_TOKEN_REUSED');
    expectError(await client.refreshToken({ ...old, headers }), 401, 'TOKEN_INVALID');
    const [entry, ...others] = await records.auditOf(account.userId);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({
      action: 'REFRESH_TOKEN_REUSED',
      actorId: null,
      targetType: 'USER',
      requestId: 'reuse-1',
      address: '203.0.113.80',
    });
    expect(entry?.details).to.include({ kind: CUSTOMER.kind, sessionId: old.sessionId });
    for (const token of [old.refreshToken, latest.refreshToken])
      expect(JSON.stringify(entry)).not.to.include(token.split('.')[2]);
  });

  it('records nothing when two tabs race for a refresh', async () => {
    const client = service().as('administrator');
    const account = await service().as('administrator').createAccount();
    const old = await client.openDevice(account);
    await client.refreshed(old);
    expectError(await client.refreshToken(old), 401, 'REFRESH_TOKEN_SUPERSEDED');
    expect(await records.auditOf(account.userId)).to.deep.equal([]);
  });
});

describe('audit records of failed sign-ins', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  /** Failed sign-ins are recorded in the background. */
  const waitForFailures = (userId: string, count: number) =>
    waitFor(`${count} audit records`, async () => {
      const found = (await records.auditOf(userId)).filter(({ action }) => action === 'SIGN_IN_FAILED');
      return found.length >= count && found;
    });
  const newNetwork = createNetworks();
  const fail = async (kind: AccountKind, email: string, address = newNetwork()) =>
    expectInvalidCredentials(await attemptSignIn(service(), kind, { email, from: address }));

  it('contain address and kind, without the attempts that a limit rejects', async () => {
    const { email, userId } = await service().as('customer').createAccount();
    const address = '203.0.113.50';
    for (const _ of range(FREE_ATTEMPTS)) await fail(CUSTOMER, email, address);
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email, from: address }));
    const found = await waitForFailures(userId, FREE_ATTEMPTS);
    expect(found).to.have.length(FREE_ATTEMPTS);
    for (const { createdAt: _createdAt, requestId, ...record } of found) {
      expect(requestId).to.match(/^[\w.-]+$/);
      expect(record).to.deep.equal({
        action: 'SIGN_IN_FAILED',
        actorId: null,
        targetType: 'USER',
        targetId: userId,
        address,
        details: {
          kind: CUSTOMER.kind,
          reason: 'WRONG_PASSWORD',
          methods: [],
          userAgent: null,
          isNewDevice: true,
        },
      });
    }
  });

  it('stop at twenty an hour for an account, and do not name an unknown e-mail', async () => {
    const [account, other] = await Promise.all([1, 2].map(() => service().as('customer').createAccount()));
    if (!account || !other) throw new Error('There are two accounts');
    for (const _ of range(20)) await fail(CUSTOMER, account.email);
    await waitForFailures(account.userId, 20);
    const unknown = uniqueEmail();
    for (const email of [account.email, account.email, unknown, other.email]) await fail(CUSTOMER, email);
    await waitForFailures(other.userId, 1);
    expect(await waitForFailures(account.userId, 20)).to.have.length(20);
    await records.query(
      `update audit_records set created_at = created_at - interval '1 hour' where target_id = $1`,
      [account.userId],
    );
    await fail(CUSTOMER, account.email);
    expect(await waitForFailures(account.userId, 21)).to.have.length(21);
    const all = await records.query<{ text: string }>('select a::text as text from audit_records a');
    expect(all.length).to.be.above(0);
    expect(all.filter(({ text }) => text.includes(unknown))).to.deep.equal([]);
  });
});

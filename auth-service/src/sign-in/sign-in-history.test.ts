import { ALL_KINDS, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { WRONG_CODE } from '../../testing/second-factor.ts';

type Entry = {
  at: string;
  kind: string;
  result: string;
  methods: string[];
  ip: string;
  userAgent: string | null;
  isNewDevice: boolean;
};

describe('history of sign-ins', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  const read = async (device: Device, query: { cursor?: string; perPage?: number } = {}) => {
    const { status, body, text } = await client().signIns({ ...device, query });
    expect(status, text).to.equal(200);
    return body as { data: Entry[]; nextCursor: string | null };
  };
  /** Failed ones are recorded in the background. */
  const waitForResults = (device: Device, results: string[]) =>
    waitFor(`${results}`, async () => {
      const { data } = await read(device);
      return data.length >= results.length && data;
    });
  const fail = (email: string, fingerprint = uniqueFingerprint()) =>
    client().expectNoSignIn({ email, password: WRONG_PASSWORD }, fingerprint);

  describeEachKind(ALL_KINDS, service, (ofKind, { kind }) => {
    it('has each sign-in, newest first, with the device and how', async () => {
      const account = await ofKind().createAccount();
      const { email, password } = account;
      const fingerprint = uniqueFingerprint();
      const headers = { 'User-Agent': 'Firefox' };
      for (const _ of [1, 2]) await ofKind().signIn({ fingerprint, body: { email, password }, headers });
      const device = await ofKind().openDevice(account);
      const { status, body } = await ofKind().signIns(device);
      expect(status).to.equal(200);
      const [last, second, first] = body.data as Entry[];
      expect(body.nextCursor).to.equal(null);
      expect(last).to.deep.include({ kind, result: 'SIGNED_IN', methods: ['password'], isNewDevice: true });
      const { at, ...known } = second ?? { at: '' };
      expect(Date.now() - Date.parse(at)).to.be.within(0, 60_000);
      expect(known).to.deep.equal({
        kind,
        result: 'SIGNED_IN',
        methods: ['password'],
        ip: '127.0.0.1',
        userAgent: 'Firefox',
        isNewDevice: false,
      });
      expect(first?.isNewDevice).to.equal(true);
    });
  });

  it('has failed ones with their reason and the truth about the device', async () => {
    const { account, device, secret } = await client().openAccountWithTotp();
    await fail(account.email);
    await fail(account.email, device.fingerprint);
    const started = await client().startSignIn(account);
    const { fingerprint, challenge } = started;
    await client().signInSecondFactor({ fingerprint, body: { challenge, totpCode: WRONG_CODE } });
    await client().signInSecondFactor({ fingerprint, body: { challenge, totpCode: totpCode(secret, 1) } });
    const data = await waitForResults(device, ['SIGNED_IN', 'WRONG_FACTOR', '…', '…', 'SIGNED_IN']);
    expect(
      data.map(({ result, isNewDevice, methods }) => [result, isNewDevice, methods]),
    ).to.have.deep.members([
      ['SIGNED_IN', true, ['password', 'totp']],
      ['WRONG_FACTOR', true, []],
      ['WRONG_PASSWORD', false, []],
      ['WRONG_PASSWORD', true, []],
      ['SIGNED_IN', true, ['password']],
    ]);
  });

  it('has those behind the right password, whatever a stranger has filled it with', async () => {
    const { account, device } = await client().openAccountWithTotp();
    await records.query(
      `insert into audit_records (action, target_type, target_id, request_id, address, details)
       select 'SIGN_IN_FAILED', 'USER', $1, 'request-1', '203.0.113.7', '{"kind": "customer", "reason": "WRONG_PASSWORD"}'
       from generate_series(1, 20)`,
      [account.userId],
    );
    await fail(account.email);
    const { fingerprint, challenge } = await client().startSignIn(account);
    await client().signInSecondFactor({ fingerprint, body: { challenge, totpCode: WRONG_CODE } });
    await records.waitForFailedSignIn(account.userId, { reason: 'WRONG_FACTOR' });
    const results = (await read(device, { perPage: 100 })).data.map(({ result }) => result);
    expect(results.filter((result) => result === 'WRONG_PASSWORD')).to.have.lengthOf(20);
  });

  it('has blocked ones, and those as the other kind', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { email, password, userId } = account;
    await service().as(EMPLOYEE).expectNoSignIn({ email, password });
    await records.query('update users set is_blocked = true where id = $1', [userId]);
    expectError(
      await client().signIn({ fingerprint: uniqueFingerprint(), body: { email, password } }),
      401,
      'USER_BLOCKED',
    );
    await records.query('update users set is_blocked = false where id = $1', [userId]);
    const data = await waitForResults(device, ['BLOCKED', 'WRONG_KIND', 'SIGNED_IN']);
    expect(data.map(({ result, kind }) => [result, kind])).to.have.deep.members([
      ['BLOCKED', 'customer'],
      ['WRONG_KIND', 'employee'],
      ['SIGNED_IN', 'customer'],
    ]);
  });

  const pause = (userId: string) =>
    records.query(
      `insert into failed_guesses (subject, secret, scope, failures, waits_until, expires_at)
       values ($1, 'password', 'account', 100, now() + interval '1 hour', 'infinity')`,
      [userId],
    );
  const signInFrom = (address: string, { email, password }: { email: string; password: string }) =>
    client().signIn({
      fingerprint: uniqueFingerprint(),
      body: { email, password },
      headers: { 'X-Forwarded-For': address },
    });

  it('has nothing of failed and paused ones that were under way when the account was deleted', async () => {
    for (const isPaused of [false, true]) {
      const account = await client().createAccount();
      if (isPaused) await pause(account.userId);
      const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [account.userId]);
      await signInFrom('198.51.100.1', { ...account, password: 'a wrong password' });
      await deletion.commitWhenWaiting(1);
      const other = await client().createAccount();
      await fail(other.email);
      await records.waitForFailedSignIn(other.userId, { reason: 'WRONG_PASSWORD' });
      expect(await records.auditOf(account.userId, 'SIGN_IN_FAILED'), `paused: ${isPaused}`).to.deep.equal(
        [],
      );
    }
  });

  it('has a pause once for a network, and no delay of a network', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await pause(account.userId);
    for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.2'])
      expectError(await signInFrom(address, account), 429, 'RATE_LIMITED');
    await waitForResults(device, ['PAUSED', 'PAUSED', 'SIGNED_IN']);
    const { data } = await read(device);
    const pauses = data.filter(({ result }) => result === 'PAUSED').map(({ ip }) => ip);
    expect(pauses.sort()).to.deep.equal(['198.51.100.1', '198.51.100.2']);
  });

  it('has a pause once when several sign-ins are rejected at the same time', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await pause(account.userId);
    const first = await holdLock(
      service().databaseUrl,
      `select add_paused_sign_in($1, 'first', '198.51.100.1', '{"kind": "customer", "reason": "PAUSED"}', '198.51.100.1',
        now() + interval '1 hour')`,
      [account.userId],
    );
    expectError(await signInFrom('198.51.100.1', account), 429, 'RATE_LIMITED');
    await first.commitWhenWaiting(1);
    expectError(await signInFrom('198.51.100.2', account), 429, 'RATE_LIMITED');
    await waitForResults(device, ['PAUSED', 'PAUSED', 'SIGNED_IN']);
    expect((await read(device)).data).to.have.length(3);
  });

  it('has pages, whose cursors are valid for this account only', async () => {
    const { account, device } = await client().createAccountAndDevice();
    for (const _ of [1, 2]) await client().openDevice(account, device.fingerprint);
    const latest = await client().openDevice(account);
    const all = (await read(latest)).data;
    expect(all).to.have.length(4);
    const pages: Entry[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(latest, { perPage: 1, ...(cursor && { cursor }) });
      pages.push(...page.data);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(pages).to.deep.equal(all);
    const { nextCursor } = await read(latest, { perPage: 1 });
    const other = await client().createDevice();
    for (const foreign of [nextCursor ?? '', 'x'])
      expectError(
        await client().signIns({ ...other, query: { cursor: foreign } }),
        400,
        'VALIDATION_FAILED',
        '/query/cursor',
      );
    for (const perPage of [0, 101])
      expectError(
        await client().signIns({ ...other, query: { perPage } }),
        400,
        'VALIDATION_FAILED',
        '/query/perPage',
      );
  });

  it('names the failures that 1.0.0 recorded by the reasons of today', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const expected: [result: string, details: object][] = [
      ['WRONG_PASSWORD', { kind: 'customer' }],
      ['WRONG_FACTOR', { kind: 'customer', step: 'second-factor' }],
      ['WRONG_KIND', { kind: 'employee', step: 'passkey' }],
      ['WRONG_FACTOR', { kind: 'customer', step: 'passkey', reason: 'signature-counter', passkeyId: 'x' }],
      ['BLOCKED', { kind: 'customer', provider: 'company', reason: 'USER_BLOCKED' }],
      ['NO_ROLE', { kind: 'administrator', provider: 'company', reason: 'PLATFORM_ROLE_INVALID' }],
      ['WRONG_KIND', { kind: 'customer', provider: 'company', reason: 'EMAIL_TAKEN' }],
      ['PROVIDER_REJECTED', { kind: 'customer', provider: 'company', reason: 'PROVIDER_NOT_ALLOWED' }],
      ['PROVIDER_REJECTED', { kind: 'customer', provider: 'company', reason: 'OIDC_EMAIL_UNVERIFIED' }],
      ['PROVIDER_REJECTED', { kind: 'customer', provider: 'company', reason: 'ACCOUNT_EXISTS' }],
    ];
    const withoutKind = { step: 'second-step', reason: 'signature-counter', passkeyId: 'x' };
    for (const details of [withoutKind, ...expected.map(([, each]) => each)])
      await records.query(
        `insert into audit_records (action, target_type, target_id, request_id, address, details)
         values ('SIGN_IN_FAILED', 'USER', $1, 'request-1', '203.0.113.7', $2)`,
        [account.userId, details],
      );
    const { data } = await read(device);
    expect(data.map(({ result }) => result)).to.deep.equal([
      ...expected.map(([result]) => result).reverse(),
      'SIGNED_IN',
    ]);
    expect(data[0]).to.deep.include({ methods: [], userAgent: null, isNewDevice: false });
  });

  it('has no record of a right password before the second step, and needs a token', async () => {
    const { account, device } = await client().openAccountWithTotp();
    await client().startSignIn(account);
    expect((await read(device)).data.map(({ result }) => result)).to.deep.equal(['SIGNED_IN']);
    expectError(await client().signIns({}), 401, 'TOKEN_INVALID');
  });

  it('records at most twenty rejections an hour of paused addresses without an account', async () => {
    const email = uniqueEmail();
    const attempt = () =>
      client().signIn({ fingerprint: uniqueFingerprint(), body: { email, password: WRONG_PASSWORD } });
    await attempt();
    await records.query(
      `update failed_guesses set failures = 100, waits_until = now() + interval '1 hour', expires_at = 'infinity'
       where secret = 'password' and scope = 'email'`,
    );
    for (let count = 0; count < 25; count += 1) expectError(await attempt(), 429, 'RATE_LIMITED');
    // Records are written in the background, in the order of the attempts.
    const account = await client().createAccount();
    await fail(account.email);
    await records.waitForFailedSignIn(account.userId, { reason: 'WRONG_PASSWORD' });
    const found = await records.query(
      "select 1 from audit_records where target_id is null and details ->> 'reason' = 'PAUSED'",
    );
    expect(found).not.to.deep.equal([]);
    expect(found.length).to.be.at.most(20);
  });

  it('names no unknown address, of which at most twenty an hour are recorded', async () => {
    const email = uniqueEmail();
    await fail(email);
    const found = await waitFor('a record without a target', async () => {
      const rows = await records.query<{ details: object; text: string }>(
        "select details, a::text as text from audit_records a where target_id is null and details ->> 'reason' = 'WRONG_PASSWORD'",
      );
      return rows.length > 0 && rows;
    });
    expect(found[0]?.details).to.deep.include({
      kind: 'customer',
      reason: 'WRONG_PASSWORD',
      isNewDevice: true,
    });
    expect(found.filter(({ text }) => text.includes(email))).to.deep.equal([]);
  });
});

import { ACCOUNT_KINDS, ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, observable, send } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';
import { expectCookieSet } from '../../testing/refresh-cookie.ts';

describe('sign-in by a mailed code', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  const signIn = (email: string, code: string, fields: object = {}) =>
    client().signInEmailCode({ fingerprint: uniqueFingerprint(), body: { email, code, ...fields } });
  const codeFor = (email: string) => client().requestSignInCode(email);
  const actionsOf = async (userId: string) =>
    (await records.auditOf(userId)).map(({ action, details }) => ({ action, details }));

  describeEachKind(ACCOUNT_KINDS, service, (ofKind, { refreshCookie }) => {
    it('signs in once, as a session that says how', async () => {
      const { email } = await ofKind().createVerifiedAccount();
      const code = await service().as(ofKind().kind).requestSignInCode(email);
      const fingerprint = uniqueFingerprint();
      const body = { email: email.toUpperCase(), code };
      const signedIn = await ofKind().signInEmailCode({ fingerprint, body });
      const device = ofKind().toDevice(signedIn);
      expectCookieSet(signedIn, refreshCookie, 7_200);
      expect(signedIn.body.user.email).to.equal(email);
      const [session] = (await ofKind().listSessions(device)).body.data;
      expect(session).to.deep.include({ methods: ['email-code'], isCurrent: true });
      expectError(await ofKind().signInEmailCode({ fingerprint, body }), 400, 'CODE_INVALID');
      await ofKind().expectSignedIn(device);
    });
  });

  it('mails the code in a mail of its own, which is valid for nothing else', async () => {
    const account = await client().createVerifiedAccount();
    const { email } = account;
    const code = await codeFor(email);
    expect((await service().mails.queuedFor(email))[0]).to.include({ template: 'sign-in-code' });
    const body = { email, code, newPassword: 'A better horse 2' };
    expectError(await client().resetPasswordEmailCode({ body }), 400, 'CODE_INVALID');
    const employee = await service()
      .as('employee')
      .signInEmailCode({ fingerprint: uniqueFingerprint(), body: { email, code } });
    expectError(employee, 400, 'CODE_INVALID');
  });

  it('answers an unknown address as a known one', async () => {
    const answersOf = async (email: string) => [
      observable(await client().signInEmailCodeSend({ body: { email } })),
      observable(await client().signInEmailCodeSend({ body: { email } })),
      observable(await signIn(email, '000000')),
    ];
    const { email: known } = await client().createVerifiedAccount();
    const blocked = await client().createVerifiedAccount();
    await records.query('update users set is_blocked = true where id = $1', [blocked.userId]);
    const { email: unverified } = await client().createAccount();
    const unknown = uniqueEmail();
    const expected = await answersOf(known);
    expect(expected.map(({ status }) => status)).to.deep.equal([200, 429, 400]);
    for (const email of [blocked.email, unverified, unknown])
      expect(await answersOf(email)).to.deep.equal(expected);
    expect(await service().mails.queuedFor(unknown)).to.deep.equal([]);
  });

  it('opens one session for a code that is sent twice at once', async () => {
    const { email } = await client().createVerifiedAccount();
    const code = await codeFor(email);
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => signIn(email, code)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).to.deep.equal([200, 400, 400, 400]);
  });

  it('needs a due second step, whose challenge keeps the first method', async () => {
    const { account, device, secret } = await client().openAccountWithTotp();
    const { email } = account;
    const fingerprint = uniqueFingerprint();
    const code = await codeFor(email);
    const started = await client().signInEmailCode({ fingerprint, body: { email, code } });
    const challenge = readChallenge(started);
    expect(started.body.factors).to.deep.equal(['totp', 'recovery-code']);
    const body = { challenge, totpCode: totpCode(secret, 1) };
    const second = client().toDevice(await client().signInSecondFactor({ fingerprint, body }));
    const { data } = (await client().listSessions(second)).body;
    expect(data[0].methods).to.deep.equal(['email-code', 'totp']);
    await client().expectSignedIn(device);
  });

  it('tells a blocked user after the right code only, which is spent and proves nothing', async () => {
    const { email, userId } = await client().createAccount();
    const code = await codeFor(email);
    await records.query('update users set is_blocked = true where id = $1', [userId]);
    expectError(await signIn(email, getOtherCode(code)), 400, 'CODE_INVALID');
    expectError(await signIn(email, code), 401, 'USER_BLOCKED');
    expectError(await signIn(email, code), 400, 'CODE_INVALID');
    const rows = await records.query('select is_email_verified from users where id = $1', [userId]);
    expect(rows).to.deep.equal([{ is_email_verified: false }]);
  });

  it('is the first proof of an address, and ends what a stranger has set up', async () => {
    const account = await client().createAccount({ firstName: 'Stranger', phone: '+49 30 1' });
    const { email, userId, password } = account;
    const strangers = await client().openDevice(account);
    const signedIn = await signIn(email, await codeFor(email));
    expect(signedIn.body.removedByProof).to.deep.equal(['password', 'profile']);
    const device = client().toDevice(signedIn);
    const { user, profile } = (await client().me(device)).body;
    expect(user.isEmailVerified).to.equal(true);
    expect(profile).to.include({ firstName: null, lastName: null, phone: null });
    await client().expectSignedOut(strangers);
    await client().expectNoSignIn({ email, password });
    expect(await actionsOf(userId)).to.deep.include({
      action: 'EMAIL_VERIFIED',
      details: {
        kind: 'customer',
        clearedProfiles: [{ kind: 'customer', fields: ['firstName', 'phone'] }],
        isPasswordRemoved: true,
        count: 1,
      },
    });
    const notices = await service().mails.outboxFor(email);
    expect(notices.map(({ template }) => template)).to.deep.equal(['setup-removed']);
  });

  it('ends no session of an address that was verified before', async () => {
    const { account, device } = await client().openVerifiedAccount();
    await signIn(account.email, await codeFor(account.email));
    await client().expectSignedIn(device);
    await client().openDevice(account);
  });

  it('is not there for administrators', async () => {
    for (const path of ['/sign-in/email-code/send', '/sign-in/email-code'])
      expectError(await send(service().url, 'POST', ADMINISTRATOR.path + path), 404, 'ROUTE_NOT_FOUND');
    expect((await service().as('administrator').signInMethods({})).body.methods).not.to.include('email-code');
    expect((await client().signInMethods({})).body.methods).to.include('email-code');
  });
});

describe('sign-in by a mailed code where it is off', () => {
  const service = useAuthService({ EMAIL_CODE_SIGN_IN: 'off' });

  it('has no routes and is no method', async () => {
    for (const path of ['/sign-in/email-code/send', '/sign-in/email-code'])
      expectError(await send(service().url, 'POST', CUSTOMER.path + path), 404, 'ROUTE_NOT_FOUND');
    const { methods } = (await service().as('customer').signInMethods({})).body;
    expect(methods).to.deep.equal(['password', 'passkey']);
  });
});

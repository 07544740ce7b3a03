import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  changeEmail,
  changeProfile,
  confirmEmailChange,
  confirmTotp,
  deletePasskey,
  exportAccount,
  findPendingEmailChange,
  getSecondFactor,
  listPasskeys,
  removeTotp,
  renamePasskey,
  replaceRecoveryCodes,
  setUpTotp,
  switchSecondStep,
} from '../src/account.ts';
import { type Kind, ROUTES } from '../src/kinds.ts';
import { isPasskeyAvailable, registerPasskey } from '../src/passkeys.ts';
import {
  AUTH,
  CREDENTIALS,
  caught,
  failed,
  failure,
  json,
  noContent,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const currentPassword = CREDENTIALS.password;
const passkey = { id: '0d3f7c1e-7b51-4a5e-8f43-9c2ad15bb0d4', name: 'My phone' };
const recoveryCodes = ['k3v7w2qpax'];

describe('client account calls', () => {
  const { responders, requests, createClient, signIn, openTabs, listRequests } = useFakeGateway();

  for (const kind of ['customer', 'employee', 'administrator'] as const)
    it(`send the operations of the kind: ${kind}`, async () => {
      const { auth } = ROUTES[kind];
      const state = { totp: null, passkeys: [passkey], recoveryCodesLeft: 0, isRequired: false };
      const secret = { secret: 'JBSWY3DPEHPK3PXP', otpauthUrl: 'otpauth://totp/x' };
      const sent = { newEmail: 'new@example.com', expiresIn: 900, resendIn: 120 };
      const exported = { exportedAt: '2026-12-04T00:00:00.000Z', auditRecords: [], nextAuditCursor: null };
      const byMethod = (responses: Record<string, object | undefined>) => (path: string) =>
        responders.set(`${auth}/${path}`, (response, request) => {
          const body = responses[request.method ?? ''];
          (body ? json(200, body) : noContent)(response, request);
        });
      byMethod({ GET: state, PATCH: { ...state, recoveryCodes } })('second-factor');
      byMethod({ POST: secret })('second-factor/totp');
      for (const path of ['second-factor/totp/confirm', 'second-factor/recovery-codes'])
        byMethod({ POST: { recoveryCodes } })(path);
      byMethod({ PATCH: passkey })(`passkeys/${passkey.id}`);
      const pending = { newEmail: 'new@example.com', expiresIn: 840, resendIn: 60 };
      byMethod({ POST: sent, GET: { pending } })('email/change');
      byMethod({ POST: { user } })('email/change/check');
      byMethod({ GET: exported })('account/export');

      const client = createClient<Kind>({ kind });
      const confirmation = { currentPassword, totpCode: '042917' };
      expect(await getSecondFactor(client)).to.deep.equal(state);
      expect(await listPasskeys(client)).to.deep.equal([passkey]);
      const switched = await switchSecondStep(client, { isRequired: true, currentPassword });
      expect(switched).to.deep.equal({ ...state, recoveryCodes });
      expect(await setUpTotp(client, { currentPassword })).to.deep.equal(secret);
      expect(await confirmTotp(client, '042917')).to.deep.equal(recoveryCodes);
      expect(await replaceRecoveryCodes(client, confirmation)).to.deep.equal(recoveryCodes);
      expect(await removeTotp(client, confirmation)).to.equal(undefined);
      expect(await renamePasskey(client, passkey.id, 'Key')).to.deep.equal(passkey);
      expect(await deletePasskey(client, passkey.id, { currentPassword })).to.equal(undefined);
      expect(await changeEmail(client, { newEmail: 'new@example.com', currentPassword })).to.deep.equal(sent);
      expect(await findPendingEmailChange(client)).to.deep.equal(pending);
      expect(await confirmEmailChange(client, '123456')).to.deep.equal(user);
      expect(await exportAccount(client)).to.deep.equal(exported);
      expect(listRequests()).to.deep.equal([
        `GET ${auth}/second-factor`,
        `GET ${auth}/second-factor`,
        `PATCH ${auth}/second-factor`,
        `POST ${auth}/second-factor/totp`,
        `POST ${auth}/second-factor/totp/confirm`,
        `POST ${auth}/second-factor/recovery-codes`,
        `DELETE ${auth}/second-factor/totp`,
        `PATCH ${auth}/passkeys/${passkey.id}`,
        `DELETE ${auth}/passkeys/${passkey.id}`,
        `POST ${auth}/email/change`,
        `GET ${auth}/email/change`,
        `POST ${auth}/email/change/check`,
        `GET ${auth}/account/export`,
      ]);
    });

  it('export the audit records of all pages', async () => {
    const exportedAt = '2026-12-04T00:00:00.000Z';
    const pages: Record<string, object> = {
      '': { exportedAt, auditRecords: [{ id: '3' }], nextAuditCursor: 'second' },
      second: { auditRecords: [{ id: '2' }], nextAuditCursor: 'third' },
      third: { auditRecords: [{ id: '1' }], nextAuditCursor: null },
    };
    for (const [cursor, page] of Object.entries(pages))
      responders.set(`${AUTH}/account/export${cursor && `?auditCursor=${cursor}`}`, json(200, page));
    const auditRecords = ['3', '2', '1'].map((id) => ({ id }));
    const whole = { exportedAt, auditRecords, nextAuditCursor: null };
    expect(await exportAccount(await signIn())).to.deep.equal(whole);
  });

  it('send the changed fields of the profile', async () => {
    const profile = { id: passkey.id, firstName: 'Ada', phone: null };
    const bodies: unknown[] = [];
    responders.set(`${AUTH}/profile`, (response, request) => {
      void text(request).then((body) => {
        bodies.push(`${request.method} ${body}`);
        json(200, { profile })(response, request);
      });
    });
    const client = await signIn();
    expect(await changeProfile(client, { firstName: 'Ada', phone: null })).to.deep.equal(profile);
    expect(bodies).to.deep.equal(['PATCH {"firstName":"Ada","phone":null}']);
  });

  it('report the remaining passkeys to the browser after a deletion, which succeeds in any case', async () => {
    const path = `${AUTH}/passkeys/${passkey.id}`;
    const optionsPath = `${AUTH}/passkeys/options`;
    const options = {
      rp: { id: 'example.com' },
      user: { id: 'dXNlcg' },
      excludeCredentials: [{ id: 'left' }],
    };
    responders.set(path, noContent);
    responders.set(optionsPath, json(200, options));
    const signals: object[] = [];
    const signalAllAcceptedCredentials = async (accepted: object) => void signals.push(accepted);
    Object.assign(globalThis, { PublicKeyCredential: { signalAllAcceptedCredentials } });
    try {
      const client = await signIn();
      await deletePasskey(client, passkey.id, { currentPassword });
      expect(signals).to.deep.equal([
        { rpId: 'example.com', userId: 'dXNlcg', allAcceptedCredentialIds: ['left'] },
      ]);
      responders.set(optionsPath, failure(429, 'RATE_LIMITED'));
      await deletePasskey(client, passkey.id, { currentPassword });
      expect(signals).to.have.length(1);
    } finally {
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    }
  });

  it('store the changed e-mail in all tabs, and no other data of an export', async () => {
    const { tabs, storage, close } = await openTabs();
    const changed = { ...user, email: 'new@example.com' };
    responders.set(`${AUTH}/email/change/check`, json(200, { user: changed }));
    responders.set(
      `${AUTH}/account/export`,
      json(200, { user: { ...changed, isBlocked: false }, auditRecords: [], nextAuditCursor: null }),
    );
    await confirmEmailChange(tabs[0], '123456');
    await exportAccount(tabs[0]);
    for (const tab of tabs)
      expect(tab.getSnapshot()).to.deep.equal({ status: 'signed-in', user: changed, session });
    expect(storage.getItem('platform.customer')).not.to.include(user.email);
    close();
  });

  it('do not sign out when the platform requires a second factor', async () => {
    const client = await signIn();
    responders.set(`${AUTH}/sessions`, failure(403, 'SECOND_FACTOR_ENROLMENT_REQUIRED'));
    expect(await failed(client.listSessions())).to.equal('SECOND_FACTOR_ENROLMENT_REQUIRED');
    expect(client.isSignedIn()).to.equal(true);
    expect(requests).to.have.length(1);
  });

  it('reject an object that is not a client', async () => {
    const copy = { ...createClient() };
    expect(await caught((async () => await getSecondFactor(copy))())).to.match(/Not a client/);
  });

  it('reject passkeys where there are none, without a request', async () => {
    expect(isPasskeyAvailable()).to.equal(false);
    const client = await signIn();
    const call = registerPasskey(client, { currentPassword, name: 'Key' });
    expect(await failed(call)).to.equal('PASSKEY_UNAVAILABLE');
    expect(requests).to.deep.equal([]);
  });
});

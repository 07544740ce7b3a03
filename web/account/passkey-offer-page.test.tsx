import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { StatusLine } from '../components/frame/status-line.tsx';
import { answer, answerSignedIn, bodiesOf } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press } from '../testing/screen.ts';
import { PasskeyOfferPage } from './passkey-offer-page.tsx';

/** A browser returns this for a new passkey. */
const CREDENTIAL = {
  id: 'AAAA',
  type: 'public-key',
  rawId: new ArrayBuffer(3),
  response: { attestationObject: new ArrayBuffer(3), clientDataJSON: new ArrayBuffer(3) },
  getClientExtensionResults: () => ({}),
};

const renderOffer = () =>
  renderScreen(
    <>
      <StatusLine />
      <PasskeyOfferPage />
    </>,
    { isSignedIn: true, base: '/account/customer', path: '/passkey' },
  );

describe('offer of a passkey', () => {
  beforeEach(() => {
    Object.assign(globalThis, { PublicKeyCredential: Object });
    answer('secondFactor', { body: (example: object) => ({ ...example, passkeys: [] }) });
    answer('identities', { body: (example: object) => ({ ...example, hasPassword: true }) });
    answerSignedIn({ isEmailVerified: true });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  });
  const answerCeremony = (create: () => Promise<unknown>) =>
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });

  for (const hasPassword of [true, false])
    it(`${hasPassword ? 'says' : 'does not say'} that a password stays, if there is ${hasPassword ? 'one' : 'none'}`, async () => {
      answer('identities', { body: (example: object) => ({ ...example, hasPassword }) });
      await renderOffer();
      await expectText('You can remove the passkey at any time.');
      await (hasPassword ? expectText : expectNoText)('Your password keeps working.');
    });

  it('says that the passkey was added, which is named after where it is kept', async () => {
    const data = new Uint8Array(60);
    data.set(Buffer.from('fbfc3007154e4ecc8c0b6e020557d7bd', 'hex'), 37);
    const response = { ...CREDENTIAL.response, getAuthenticatorData: () => data.buffer };
    answerCeremony(async () => ({ ...CREDENTIAL, response }));
    answer('passkeyCreate', {
      body: ({ recoveryCodes: _none, ...example }: Record<string, unknown>) => example,
    });
    await renderOffer();
    await fill({ 'Current password': 'Password123!' });
    await press('Add a passkey');
    await expectAnnouncement(/was added/, 'status');
    expect(bodiesOf('passkeyCreate')).to.have.nested.property('0.name', 'iCloud Keychain');
  });

  it('proves the account by a factor where there is no password', async () => {
    answer('identities', { body: (example: object) => ({ ...example, hasPassword: false }) });
    answer('secondFactor', {
      body: (example: object) => ({
        ...example,
        passkeys: [],
        totp: { enabledAt: '2026-11-01T09:00:00.000Z' },
      }),
    });
    await renderOffer();
    await fill({ 'Code from your app': '123456' });
    await press('Add a passkey');
    await waitFor(() => expect(bodiesOf('passkeyOptions')).to.deep.equal([{ totpCode: '123456' }]));
  });

  it('says nothing about a passkey that was cancelled, and keeps the password for another try', async () => {
    let timesAsked = 0;
    answerCeremony(() => {
      timesAsked += 1;
      return Promise.reject(new DOMException('cancelled', 'NotAllowedError'));
    });
    await renderOffer();
    await fill({ 'Current password': 'Password123!' });
    await press('Add a passkey');
    await waitFor(() => expect(timesAsked).to.equal(1));
    await waitFor(() => expect(document.querySelector('[aria-disabled]')).to.equal(null));
    expect(document.querySelector('.notice-bad')).to.equal(null);
    expect((await findField('Current password')).value).to.equal('Password123!');
  });

  it('has the focus on its heading: the button that signed in is gone', async () => {
    await renderOffer();
    await expectText('Sign in faster next time');
    await waitFor(() => expect(document.activeElement?.textContent).to.equal('Sign in faster next time'));
  });
});

import { expect } from 'chai';
import { answer, answerSignedIn, bodiesOf } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, press } from '../testing/screen.ts';
import { OwnAccountPage } from './own-account-page.tsx';

const withPasskeys = (changes: object) =>
  answer('secondFactor', { body: (example: object) => ({ ...example, totp: null, ...changes }) });

describe('own account of a role that requires a second step', () => {
  beforeEach('have a device that makes passkeys', () => {
    Object.assign(globalThis, { PublicKeyCredential: Object });
    const [attestationObject, clientDataJSON, rawId] = [
      new ArrayBuffer(3),
      new ArrayBuffer(3),
      new ArrayBuffer(3),
    ];
    const response = { attestationObject, clientDataJSON, getAuthenticatorData: () => new ArrayBuffer(60) };
    const credential = {
      id: 'AAAA',
      type: 'public-key',
      rawId,
      response,
      getClientExtensionResults: () => ({}),
    };
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: { create: async () => credential },
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  });

  it('opens with a first passkey, once its recovery codes are saved', async () => {
    answerSignedIn({ isEmailVerified: true });
    answer('identities', { code: 'SECOND_FACTOR_ENROLMENT_REQUIRED' });
    withPasskeys({ passkeys: [] });
    await renderScreen(<OwnAccountPage isChangingPassword={false} />, { isSignedIn: true });
    await expectText('Protect your account');
    await press('Add a passkey');
    await fill({ 'Current password': 'Password123!' });
    answer('identities');
    withPasskeys({});
    await press('Add a passkey');
    await expectText('Save your recovery codes');
    expect(bodiesOf('passkeyOptions')).to.deep.equal([{ currentPassword: 'Password123!' }]);
    await press('Copy');
    await press('I’ve saved my codes');
    await expectText('Your data');
    await expectNoText('Protect your account');
  });
});

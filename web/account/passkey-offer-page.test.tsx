import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { PasskeyOfferPage } from './passkey-offer-page.tsx';

const renderOffer = () =>
  renderScreen(<PasskeyOfferPage />, { isSignedIn: true, base: '/account/customer', path: '/passkey' });

describe('offer of a passkey', () => {
  beforeEach(() => {
    Object.assign(globalThis, { PublicKeyCredential: Object });
    answer('secondFactor', { body: (example: object) => ({ ...example, passkeys: [] }) });
    for (const operation of ['signIn', 'me'])
      answer(operation, {
        body: (example: { user: object }) => ({
          ...example,
          user: { ...example.user, isEmailVerified: true },
        }),
      });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  });

  for (const hasPassword of [true, false])
    it(`${hasPassword ? 'says' : 'does not say'} that a password stays, if there is ${hasPassword ? 'one' : 'none'}`, async () => {
      answer('identities', { body: (example: object) => ({ ...example, hasPassword }) });
      await renderOffer();
      await expectText('You can remove the passkey at any time.');
      await (hasPassword ? expectText : expectNoText)('Your password keeps working.');
    });

  it('has the focus on its heading: the button that signed in is gone', async () => {
    await renderOffer();
    await expectText('Sign in faster next time');
    await waitFor(() => expect(document.activeElement?.textContent).to.equal('Sign in faster next time'));
  });
});

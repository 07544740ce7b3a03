import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { expectDone, renderSignIn, timesDone } from '../testing/render-sign-in.tsx';
import { fill, findField, press } from '../testing/screen.ts';

const EMAIL = 'ada@example.com';

describe('second step of the sign-in', () => {
  const begin = async (factors: string[]) => {
    history.replaceState(null, '');
    await renderSignIn({}, history.state);
    answer('signIn', {
      code: 'SECOND_FACTOR_REQUIRED',
      body: (example: object) => ({ ...example, factors }),
    });
    await fill({ Email: EMAIL, Password: 'Password123!' });
    await press('Sign in');
    await expectText('Verify it’s you');
  };

  it('says who is signing in, and begins again for somebody else', async () => {
    await begin(['totp', 'recovery-code']);
    await expectText(EMAIL);
    await press('Not you?');
    await findField('Password');
  });

  it('leads from a lost phone to a recovery code, and back to the app', async () => {
    await begin(['totp', 'recovery-code']);
    await expectText(/^Lost your phone\?/);
    await press('Use a recovery code');
    await expectText('Enter one of the recovery codes you saved. Each works once.');
    answer('signInSecondFactor', { code: 'SECOND_FACTOR_INVALID' });
    await fill({ 'Recovery code': '7k2mq-aaaaa' });
    await press('Continue');
    await expectText('That code is wrong or was used before.');
    await press('Use a code from your app instead');
    answer('signInSecondFactor');
    await fill({ 'Code from your app': '123456' });
    await expectDone();
  });

  it('offers no recovery code where the account has none', async () => {
    await begin(['totp']);
    await expectNoText('Use a recovery code');
  });

  it('says after a reload that it took too long', async () => {
    await renderSignIn({}, { step: 'second', email: EMAIL });
    await expectText('This took too long. Sign in again.');
    expect((await findField('Email')).value).to.equal(EMAIL);
  });

  it('is still there after a reload, with the same challenge', async () => {
    await begin(['totp', 'recovery-code']);
    const { cleanup } = await import('@testing-library/react/pure.js');
    cleanup();
    await renderSignIn({}, history.state);
    await expectText(EMAIL);
    await fill({ 'Code from your app': '123456' });
    await expectDone();
    expect(listSent('signIn')).to.have.length(1);
  });

  it('sends the code of the app by itself, and says why a wrong one is wrong', async () => {
    await begin(['totp']);
    answer('signInSecondFactor', { code: 'SECOND_FACTOR_INVALID' });
    await fill({ 'Code from your app': '123456' });
    await expectText('That code is wrong. Codes change every 30 seconds.');
    expect(timesDone).to.equal(0);
  });

  it('asks for the clock of the phone after the second wrong code of the app', async () => {
    await begin(['totp']);
    answer('signInSecondFactor', { code: 'SECOND_FACTOR_INVALID' });
    await fill({ 'Code from your app': '123456' });
    await expectText(/^That code is wrong/);
    await expectNoText('Is the time of your phone set automatically?');
    await fill({ 'Code from your app': '123457' });
    await expectText('Is the time of your phone set automatically?');
  });

  it('says nothing about a passkey that was cancelled', async () => {
    let timesAsked = 0;
    const credentials = {
      get: () => {
        timesAsked += 1;
        return Promise.reject(new DOMException('cancelled', 'NotAllowedError'));
      },
    };
    Object.assign(globalThis, { PublicKeyCredential: Object });
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials });
    try {
      await begin(['passkey']);
      await press('Use your passkey');
      await waitFor(() => expect(timesAsked).to.equal(1));
      await waitFor(() => expect(document.querySelector('[aria-disabled]')).to.equal(null));
      expect(document.querySelector('.notice-bad')).to.equal(null);
    } finally {
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
      Reflect.deleteProperty(navigator, 'credentials');
    }
  });
});

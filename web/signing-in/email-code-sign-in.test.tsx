import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { readRemoved } from '../session/removed-by-proof.ts';
import { answer, bodiesOf, listSent } from '../testing/contract.ts';
import { expectFieldError, expectNoText, expectText } from '../testing/expectations.ts';
import { expectDone, renderSignIn } from '../testing/render-sign-in.tsx';
import { fill, findField, press } from '../testing/screen.ts';

describe('sign-in with a mailed code', () => {
  const EMAIL = 'ada@example.com';
  const requestCode = async (email = EMAIL) => {
    const platform = await renderSignIn();
    await fill({ Email: email });
    await press('Email me a code instead');
    return platform;
  };

  it('sends a code to the typed address, and six digits sign in', async () => {
    const { client } = await requestCode();
    await expectText('Check your email');
    await expectText(/^If there’s an account for this address, we sent a 6-digit code to/);
    expect(document.activeElement).to.equal(await findField('6-digit code'));
    await fill({ '6-digit code': '123 456' });
    await expectDone();
    expect(bodiesOf('signInEmailCodeSend')).to.deep.equal([{ email: EMAIL }]);
    expect(bodiesOf('signInEmailCode')).to.deep.equal([{ email: EMAIL, code: '123456' }]);
    expect(client.isSignedIn()).to.equal(true);
  });

  it('keeps what it has removed as the first proof of the address, for the own account to say', async () => {
    await requestCode();
    answer('signInEmailCode', {
      body: (example: object) => ({ ...example, removedByProof: ['password', 'profile'] }),
    });
    await fill({ '6-digit code': '123456' });
    await expectDone();
    expect(readRemoved()).to.deep.equal(['password', 'profile']);
  });

  it('asks for the address first if none was typed', async () => {
    await renderSignIn();
    await press('Email me a code instead');
    await expectText('Enter your email and we’ll send you a code.');
    await press('Send code');
    expect(listSent('signInEmailCodeSend')).to.deep.equal([]);
    await fill({ Email: EMAIL });
    await press('Send code');
    await fill({ '6-digit code': '123456' });
    await expectDone();
    expect(bodiesOf('signInEmailCode')).to.deep.equal([{ email: EMAIL, code: '123456' }]);
  });

  it('asks for the address again if it is none, and says so at its field', async () => {
    await requestCode('ada@example,org');
    await press('Send code');
    await waitFor(async () =>
      expect((await findField('Email')).getAttribute('aria-invalid')).to.equal('true'),
    );
    expect(listSent('signInEmailCodeSend')).to.deep.equal([]);
  });

  it('takes another address, and leads back to the password', async () => {
    await requestCode('ada@example.org');
    await press('Change it');
    expect((await findField('Email')).value).to.equal('ada@example.org');
    await fill({ Email: EMAIL });
    await press('Send code');
    await waitFor(() =>
      expect(bodiesOf('signInEmailCodeSend')).to.deep.equal([{ email: 'ada@example.org' }, { email: EMAIL }]),
    );
    await press('Use your password instead');
    expect((await findField('Email')).value).to.equal(EMAIL);
  });

  it('shows a wrong code at its field, and sends the mended one', async () => {
    await requestCode();
    answer('signInEmailCode', { code: 'CODE_INVALID' });
    await fill({ '6-digit code': '123456' });
    await expectFieldError('6-digit code', 'That code is wrong or has expired.');
    answer('signInEmailCode');
    await fill({ '6-digit code': '654321' });
    await expectDone();
  });

  it('does not say that it sent a code requested elsewhere, takes it, and offers another one in time', async () => {
    answer('signInEmailCodeSend', { code: 'RESEND_LOCKED', headers: { 'Retry-After': '2' } });
    await requestCode();
    await expectText(/^If it did not come, or is used, a new one is possible in 0:0/);
    await expectText(/^A code was requested a moment ago\./);
    await expectNoText(/we sent/i);
    answer('signInEmailCodeSend');
    await press('Send a new code');
    await expectText(/^If there’s an account for this address, we sent a 6-digit code to/);
    await fill({ '6-digit code': '123456' });
    await expectDone();
  });

  it('asks for the second step of the account after the code', async () => {
    await requestCode();
    answer('signInEmailCode', { code: 'SECOND_FACTOR_REQUIRED' });
    await fill({ '6-digit code': '123456' });
    await fill({ 'Code from your app': '123456' });
    await expectDone();
  });

  it('keeps the address of who signs in again', async () => {
    await renderSignIn({ fixedEmail: EMAIL });
    await press('Email me a code instead');
    await findField('6-digit code');
    expect(bodiesOf('signInEmailCodeSend')).to.deep.equal([{ email: EMAIL }]);
    await expectNoText('Change it');
  });

  it('is not offered where the platform has no such codes', async () => {
    answer('signInMethods', {
      body: (example: object) => ({ ...example, methods: ['password'], staySignedIn: true }),
    });
    await renderSignIn();
    await findField('Stay signed in on this device');
    await expectNoText('Email me a code instead');
  });
});

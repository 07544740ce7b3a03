import { act, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, bodiesOf, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { expectDone, renderSignIn, timesDone } from '../testing/render-sign-in.tsx';
import { fill, findField, press, user } from '../testing/screen.ts';

describe('sign-in page', () => {
  const sendPassword = async () => {
    await fill({ Email: ' ada@example.com ', Password: 'Password123!' });
    await press('Sign in');
  };
  const beginSecondStep = async () => {
    await renderSignIn();
    answer('signIn', { code: 'SECOND_FACTOR_REQUIRED' });
    await sendPassword();
  };
  const CREDENTIALS = { email: 'ada@example.com', password: 'Password123!' };

  it('signs in with the e-mail, without spaces around it, and the password', async () => {
    const { client } = await renderSignIn();
    const email = await findField('Email');
    await waitFor(() => expect(document.activeElement === email).to.equal(true));
    await sendPassword();
    await expectDone();
    expect(bodiesOf('signIn')).to.deep.equal([CREDENTIALS]);
    expect(client.isSignedIn()).to.equal(true);
  });

  it('leads by Tab from the address to the password, and to the reset after it', async () => {
    await renderSignIn();
    await user.type(await findField('Email'), 'ada@example.com');
    await user.tab();
    await user.keyboard('correct horse battery{Enter}');
    await expectDone();
    expect(bodiesOf('signIn')).to.deep.equal([{ ...CREDENTIALS, password: 'correct horse battery' }]);
    await user.click(await findField('Password'));
    await user.tab();
    await user.tab();
    expect(document.activeElement?.textContent).to.equal('Forgot password?');
  });

  it('never starts a step with the focus on a button: the reset starts in the filled address', async () => {
    await renderSignIn();
    await fill({ Email: 'ada@example.com' });
    await press('Forgot password?');
    await expectText('Send code');
    await waitFor(() =>
      expect((document.activeElement as HTMLInputElement).value).to.equal('ada@example.com'),
    );
  });

  it('says that there is no connection before anything is sent, until there is one', async () => {
    const setOnline = (value: boolean) => {
      Object.defineProperty(navigator, 'onLine', { value, configurable: true });
      act(() => void window.dispatchEvent(new Event(value ? 'online' : 'offline')));
    };
    await renderSignIn();
    await findField('Email');
    try {
      setOnline(false);
      await expectAnnouncement('No connection', 'status');
      setOnline(true);
      await expectNoText('No connection');
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('marks empty fields, focuses the first one and sends nothing', async () => {
    await renderSignIn();
    await press('Sign in');
    const email = await findField('Email');
    expect(email.getAttribute('aria-invalid')).to.equal('true');
    expect(document.querySelectorAll('.field-error')).to.have.length(2);
    expect(document.activeElement).to.equal(email);
    expect(listSent('signIn')).to.deep.equal([]);
  });

  it('says that the password is wrong, keeps the address, and takes the password anew', async () => {
    await renderSignIn();
    answer('signIn', { code: 'INVALID_CREDENTIALS' });
    await sendPassword();
    await expectAnnouncement('Email and password don’t match.');
    expect((await findField('Email')).value).to.equal('ada@example.com');
    const password = await findField('Password');
    expect(password.value).to.equal('');
    await waitFor(() => expect(document.activeElement).to.equal(password));
    expect(timesDone).to.equal(0);
  });

  it('says that Caps Lock is on while a password is typed', async () => {
    await renderSignIn();
    await user.type(await findField('Password'), '{CapsLock}a');
    await expectText('Caps Lock is on.');
    await user.keyboard('{CapsLock}b');
    await expectNoText('Caps Lock is on.');
  });

  it('says that the platform cannot be reached, and signs in at the next try', async () => {
    await renderSignIn();
    answer('signIn', 'unreachable');
    await sendPassword();
    await expectAnnouncement(/The server does not answer/);
    answer('signIn');
    await press('Sign in');
    await expectDone();
  });

  it('sends once, however often the button is pressed', async () => {
    await renderSignIn();
    const { promise, resolve } = Promise.withResolvers<void>();
    answer('signIn', { after: promise });
    await sendPassword();
    await press('Sign in');
    await user.type(await findField('Password'), '{Enter}');
    resolve();
    await expectDone();
    expect(listSent('signIn')).to.have.length(1);
  });

  it('asks for the second step, and completes it with the code of the app', async () => {
    await beginSecondStep();
    await fill({ 'Code from your app': '123 456' });
    await expectDone();
    expect(bodiesOf('signInSecondFactor')).to.have.length(1);
    expect(bodiesOf('signInSecondFactor')[0]).to.include({ totpCode: '123456' });
  });

  it('shows a wrong code at its field, which has the focus', async () => {
    await beginSecondStep();
    answer('signInSecondFactor', { code: 'SECOND_FACTOR_INVALID' });
    await fill({ 'Code from your app': '123456' });
    await expectText('That code is wrong. Codes change every 30 seconds.');
    const field = await findField('Code from your app');
    expect(field.getAttribute('aria-invalid')).to.equal('true');
    expect(document.activeElement).to.equal(field);
  });

  it('completes the second step with a recovery code', async () => {
    await beginSecondStep();
    await press('Use a recovery code');
    await fill({ 'Recovery code': 'abcd-efgh-ijkl' });
    await press('Continue');
    await expectDone();
    expect(bodiesOf('signInSecondFactor')[0]).to.include({ recoveryCode: 'abcd-efgh-ijkl' });
  });

  it('starts again when the second step took too long', async () => {
    await beginSecondStep();
    answer('signInSecondFactor', { code: 'CHALLENGE_INVALID' });
    await fill({ 'Code from your app': '123456' });
    await expectAnnouncement('This sign-in is no longer valid. Sign in again.');
    expect((await findField('Email')).value).to.equal('ada@example.com');
  });

  it('sends a code to reset the password, sets the new one and signs in with it', async () => {
    await renderSignIn();
    await fill({ Email: 'ada@example.com' });
    await press('Forgot password?');
    await press('Send code');
    await fill({ '6-digit code': '123 456', 'New password': 'Password456!' });
    await press('Set password and sign in');
    await expectDone();
    const [reset] = bodiesOf('resetPasswordEmailCode');
    expect(reset).to.deep.equal({ email: 'ada@example.com', code: '123456', newPassword: 'Password456!' });
    expect(bodiesOf('signIn')).to.deep.equal([{ email: 'ada@example.com', password: 'Password456!' }]);
  });

  it('signs in with the new password at the next try, although the code is used', async () => {
    await renderSignIn();
    await fill({ Email: 'ada@example.com' });
    await press('Forgot password?');
    await press('Send code');
    answer('signIn', 'unreachable');
    await fill({ '6-digit code': '123456', 'New password': 'Password456!' });
    await press('Set password and sign in');
    await expectAnnouncement('The server does not answer.');
    answer('signIn');
    await press('Set password and sign in');
    await expectDone();
    expect(bodiesOf('resetPasswordEmailCode')).to.have.length(1);
  });

  it('says that the mailed code is wrong at its field', async () => {
    await renderSignIn();
    await press('Forgot password?');
    await fill({ Email: 'ada@example.com' });
    await press('Send code');
    answer('resetPasswordEmailCode', { code: 'CODE_INVALID' });
    await fill({ '6-digit code': '123456', 'New password': 'Password456!' });
    await press('Set password and sign in');
    await expectText('That code is wrong or has expired.');
    expect(document.activeElement).to.equal(await findField('6-digit code'));
  });

  it('leads from the code of a mail, which no page was before, to another address', async () => {
    const email = 'grace@example.com';
    const code = { purpose: 'reset-password', email, sentAt: Date.now(), resendAt: Date.now() };
    await renderSignIn({}, { step: 'forgotten', email, code });
    await findField('6-digit code');
    await press('Change it');
    expect((await findField('Email')).value).to.equal(email);
    expect(history.state).to.include({ step: 'forgotten', email });
  });

  it('tells a sign-out from a session that has ended by itself', async () => {
    await renderSignIn({ reason: 'SIGNED_OUT' });
    await expectText('You’re signed out.');
    await renderSignIn({ reason: 'TOKEN_INVALID' });
    await expectText('Your session has ended. Sign in again.');
  });

  it('asks to wait before another code is sent', async () => {
    await renderSignIn();
    answer('resetPasswordEmailCodeSend', { code: 'RESEND_LOCKED', headers: { 'Retry-After': '90' } });
    await press('Forgot password?');
    await fill({ Email: 'ada@example.com' });
    await press('Send code');
    // The earlier code may still be valid.
    await expectText(/^If it did not come, or is used, a new one is possible in/);
    expect(await findField('6-digit code')).not.to.equal(null);
  });

  it('offers the providers of the platform', async () => {
    await renderSignIn();
    await expectText('Continue with Company');
  });
});

import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { forgetLinkedCode, takeMailedCode } from '../session/mailed-code-link.ts';
import { createPageClient } from '../session/platform.ts';
import { hasTypedPassword, keepTypedPassword } from '../signing-in/typed-password.ts';
import { answer, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press } from '../testing/screen.ts';
import { VerificationPage } from './verification-page.tsx';

describe('verification page', () => {
  const renderVerification = () =>
    renderScreen(<VerificationPage />, { isSignedIn: true, base: '/account/customer', path: '/verify' });
  type Sessions = { data: { isCurrent: boolean }[] };
  beforeEach('be signed in on no other device', () =>
    answer('listSessions', {
      body: ({ data }: Sessions) => ({ data: data.filter(({ isCurrent }) => isCurrent) }),
    }),
  );
  afterEach('forget the link', forgetLinkedCode);
  const expectLeft = () => waitFor(() => expect(window.location.pathname).to.equal('/account/customer/'));

  it('sends one code when it is opened, and verifies the address with it', async () => {
    await renderVerification();
    await expectText('customer@example.com');
    expect(listSent('verificationEmailCode')).to.have.length(1);
    await fill({ '6-digit code': '123456' });
    await expectLeft();
  });

  it('goes on when the link of the mail verifies the address in another tab', async () => {
    await renderVerification();
    await findField('6-digit code');
    answer('verificationEmailCodeCheck', { body: () => ({ verified: true }) });
    const other = createPageClient('customer');
    await other.ready;
    await other.verifyEmail('123456');
    await expectLeft();
    other.close();
  });

  it('says that too many codes were sent, and takes the last one', async () => {
    answer('verificationEmailCode', { code: 'RESEND_LOCKED', headers: { 'Retry-After': '3000' } });
    await renderVerification();
    await expectAnnouncement('A code has already been sent. Try again in 50 minutes.');
    await expectNoText('customer@example.com');
    await fill({ '6-digit code': '123456' });
    await expectLeft();
  });

  it('shows a wrong code at its field', async () => {
    await renderVerification();
    answer('verificationEmailCodeCheck', { code: 'CODE_INVALID' });
    answer('verificationEmailCheck', { code: 'CODE_INVALID' });
    await fill({ '6-digit code': '123456' });
    await expectText('That code is wrong or has expired.');
  });

  it('says why no code could be sent, and sends it at the next try', async () => {
    answer('verificationEmailCode', 'unreachable');
    await renderVerification();
    await expectAnnouncement('The server does not answer.');
    answer('verificationEmailCode');
    await press('Send a new code');
    await expectText('customer@example.com');
  });

  it('sends no other code after a sign-in at the link of a mail, which has the code', async () => {
    history.replaceState(null, '', '/account/customer/verify#code=042917&email=customer%40example.com');
    takeMailedCode();
    // The sign-in has replaced the state of the entry.
    await renderVerification();
    expect((await findField('6-digit code')).value).to.equal('042917');
    await expectText('Send a new code');
    expect(listSent('verificationEmailCode')).to.deep.equal([]);
  });

  it('names the device that requested the code, which stays signed in, and signs it out by a button', async () => {
    answer('listSessions');
    await renderVerification();
    await fill({ '6-digit code': '123456' });
    await expectAnnouncement(/^Your email is verified\.“Chrome on Windows” stays signed in/, 'status');
    await press('Sign out “Chrome on Windows”');
    await expectLeft();
    expect(listSent('endSession')).to.have.length(1);
  });

  it('shows why a corrected address is wrong at its field, and leads back to the code', async () => {
    await renderVerification();
    await press('Change it');
    answer('emailChange', {
      code: 'VALIDATION_FAILED',
      body: (example: object) => ({
        ...example,
        details: [{ path: '/body/newEmail', message: 'is no address', rule: 'format', params: {} }],
      }),
    });
    await fill({ Email: 'grace@example.com', Password: 'Password123!' });
    await press('Send code');
    const field = await findField('Email');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).to.equal('true'));
    await press('Back');
    await findField('6-digit code');
    expect(listSent('verificationEmailCode')).to.have.length(1);
  });

  it('does not name an address whose code another change has replaced', async () => {
    await renderVerification();
    keepTypedPassword('customer@example.com', 'Password123!');
    await press('Change it');
    answer('emailChange', { code: 'RESEND_LOCKED', headers: { 'Retry-After': '60' } });
    answer('emailChangePending', {
      body: () => ({ pending: { newEmail: 'carol@example.com', resendIn: 60, expiresIn: 800 } }),
    });
    await fill({ Email: 'bob@example.com' });
    await press('Send code');
    await expectAnnouncement(/^A code has already been sent/);
    expect((await findField('Email')).value).to.equal('bob@example.com');
    await press('Back');
    await press('Change it');
    answer('emailChangePending', {
      body: () => ({ pending: { newEmail: 'bob@example.com', resendIn: 60, expiresIn: 800 } }),
    });
    await fill({ Email: 'bob@example.com', Password: 'Password123!' });
    await press('Send code');
    await findField('6-digit code');
    await expectText('bob@example.com');
  });

  it('does not ask for the typed password while the code is sent', async () => {
    await renderVerification();
    keepTypedPassword('customer@example.com', 'Password123!');
    await press('Change it');
    const { promise, resolve } = Promise.withResolvers<void>();
    answer('emailChange', { after: promise });
    await fill({ Email: 'bob@example.com' });
    await press('Send code');
    await waitFor(() => expect(listSent('emailChange')).to.have.length(1));
    await expectNoText('Password');
    resolve();
    await findField('6-digit code');
  });

  it('is left without a verification, and the typed password is not kept any longer', async () => {
    await renderVerification();
    keepTypedPassword('customer@example.com', 'Password123!');
    await press('Verify later');
    await expectLeft();
    expect(hasTypedPassword('customer@example.com')).to.equal(false);
  });
});

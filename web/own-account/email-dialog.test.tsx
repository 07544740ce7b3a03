import { screen } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectClosed, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press, pressEscape, user } from '../testing/screen.ts';
import { OwnAccount } from './own-account.tsx';

type Example = Record<string, unknown>;

const PENDING = { newEmail: 'grace@example.com', expiresIn: 900, resendIn: 118 };
const withPending = (pending: object | null) => answer('emailChangePending', { body: () => ({ pending }) });
const renderAccount = () => renderScreen(<OwnAccount />, { isSignedIn: true });

describe('address of the own account', () => {
  beforeEach(() => {
    withPending(null);
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: true }) });
    answer('secondFactor', {
      body: (example: Example) => ({ ...example, totp: null, isRequired: false, passkeys: [] }),
    });
  });

  it('changes by a code that is sent to the new one, which the platform names', async () => {
    await renderAccount();
    await press('Change your email');
    answer('emailChange', { body: (example: Example) => ({ ...example, ...PENDING }) });
    await fill({ 'New email': 'Grace@Example.com', 'Current password': 'Password123!' });
    withPending(PENDING);
    await press('Send code');
    await expectText('grace@example.com');
    await fill({ '6-digit code': '123456' });
    await expectAnnouncement(/Your email is now /, 'status');
    expect(document.querySelector('.status-line')?.closest('.card')?.textContent).to.match(/^Signing in/);
    await expectClosed();
    expect(listSent('emailChange').map(({ body }) => body)).to.deep.equal([
      { newEmail: 'grace@example.com', currentPassword: 'Password123!' },
    ]);
    expect(listSent('emailChangeCheck').map(({ body }) => body)).to.deep.equal([{ code: '123456' }]);
  });

  it('waits in its row for the code, in every tab, and another code wants the password', async () => {
    withPending({ ...PENDING, resendIn: 0 });
    await renderAccount();
    await expectText('grace@example.com');
    await press('Enter code');
    await press('Send a new code');
    expect((await findField('New email')).value).to.equal('grace@example.com');
    expect((await findField('Current password')).value).to.equal('');
    pressEscape();
    await expectClosed();
    withPending(null);
    await press('Enter code');
    await fill({ '6-digit code': '123456' });
    await expectNoText('Waiting for the code sent to');
  });

  it('stays with the address that has to wait, says how long, and takes another one at once', async () => {
    await renderAccount();
    await press('Change your email');
    answer('emailChange', { code: 'RESEND_LOCKED', headers: { 'Retry-After': '117' } });
    await fill({ 'New email': 'grace@example.com', 'Current password': 'Password123!' });
    await press('Send code');
    await expectAnnouncement(/A new code for grace@example.com is possible in 1:5\d/);
    answer('emailChange');
    await fill({ 'New email': 'hopper@example.com' });
    await press('Send code');
    await findField('6-digit code');
    expect(listSent('emailChange')).to.have.length(2);
  });

  it('goes on to the code that the same address got a moment ago', async () => {
    withPending(PENDING);
    await renderAccount();
    await press('Enter code');
    await press('Change it');
    answer('emailChange', { code: 'RESEND_LOCKED', headers: { 'Retry-After': '117' } });
    await fill({ 'Current password': 'Password123!' });
    await press('Send code');
    await findField('6-digit code');
    await expectText(/possible in 1:5\d\.$/);
  });

  it('is verified by a mailed code, and until then says what needs it', async () => {
    await renderAccount();
    for (const name of ['Add a passkey', 'Set up', 'Connect Company'])
      expect(screen.queryByRole('button', { name: new RegExp(name) }), name).to.equal(null);
    await press('Verify');
    const field = await findField('6-digit code');
    answer('me', {
      body: (example: { user: Example }) => ({
        ...example,
        user: { ...example.user, isEmailVerified: true },
      }),
    });
    await user.type(field, '123456');
    await expectAnnouncement('Your email is verified.', 'status');
    await expectText('Verified');
    await expectNoText('Not verified');
    await expectNoText('Verify your email first.');
  });

  it('says why no code could be sent', async () => {
    await renderAccount();
    answer('verificationEmailCode', { code: 'RATE_LIMITED', headers: { 'Retry-After': '90' } });
    await press('Verify');
    await expectAnnouncement('Too many attempts.');
    // The countdown alone says how long.
    await expectText(/^Try again in/);
    await expectNoText(/^Too many attempts\. Try/);
  });
});

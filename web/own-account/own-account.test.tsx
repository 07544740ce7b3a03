import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import {
  expectAnnouncement,
  expectNoText,
  expectText,
  fill,
  findField,
  press,
  pressEscape,
  user,
} from '../testing/screen.ts';
import { OwnAccount } from './own-account.tsx';

type Example = Record<string, unknown>;

describe('own account', () => {
  const renderAccount = () => renderScreen(<OwnAccount />, { isSignedIn: true });
  const bodiesOf = (operation: string) => listSent(operation).map(({ body }) => body);
  const withPassword = () =>
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: true }) });
  const withoutSecondStep = () =>
    answer('secondFactor', {
      body: (example: Example) => ({
        ...example,
        totp: null,
        isRequired: false,
        recoveryCodesLeft: 0,
        passkeys: [],
      }),
    });
  const expectClosed = () => waitFor(() => expect(document.querySelector('dialog[open]')).to.equal(null));

  it('changes the profile, and shows the new one when it says so', async () => {
    await renderAccount();
    await expectText('Ada Lovelace');
    await press('Edit profile');
    await fill({ 'First name (optional)': 'Grace', 'Phone (optional)': '' });
    answer('me', {
      body: (example: { profile: Example }) => ({
        ...example,
        profile: { ...example.profile, firstName: 'Grace' },
      }),
    });
    await press('Save changes');
    await expectAnnouncement('Your profile is saved.', 'status');
    await expectClosed();
    await expectText('Grace Lovelace');
    expect(bodiesOf('profileChange')).to.deep.equal([
      { firstName: 'Grace', lastName: 'Lovelace', phone: null },
    ]);
  });

  it('shows an error of the API at its field, keeps the dialog and what was typed', async () => {
    await renderAccount();
    await press('Edit profile');
    answer('profileChange', {
      code: 'VALIDATION_FAILED',
      body: (example: Example) => ({
        ...example,
        details: [
          { path: '/body/firstName', message: 'must be shorter', rule: 'maxLength', params: { limit: 3 } },
        ],
      }),
    });
    await fill({ 'First name (optional)': 'Grace' });
    await press('Save changes');
    const field = await findField('First name (optional)');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).to.equal('true'));
    expect(document.activeElement).to.equal(field);
    expect(field.value).to.equal('Grace');
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).not.to.equal(
      '',
    );
  });

  it('closes a dialog by Escape, and keeps what was typed for the next time', async () => {
    await renderAccount();
    await press('Edit profile');
    await fill({ 'First name (optional)': 'Grace' });
    pressEscape();
    await expectClosed();
    await press('Edit profile');
    expect((await findField('First name (optional)')).value).to.equal('Grace');
    expect(listSent('profileChange')).to.deep.equal([]);
  });

  it('says that the current password is wrong, and then changes it', async () => {
    withPassword();
    await renderAccount();
    await press('Change password');
    answer('resetPasswordMe', { code: 'CURRENT_PASSWORD_WRONG' });
    await fill({ 'Current password': 'Password1!', 'New password': 'Password456!' });
    await press('Change password');
    await expectText('The current password is wrong.');
    expect(document.activeElement).to.equal(await findField('Current password'));
    answer('resetPasswordMe');
    await fill({ 'Current password': 'Password123!' });
    await press('Change password');
    await expectAnnouncement('Your password is changed.', 'status');
    expect(bodiesOf('resetPasswordMe').at(-1)).to.deep.equal({
      currentPassword: 'Password123!',
      newPassword: 'Password456!',
    });
    // No password stays in the page.
    expect(document.querySelector('input[name=currentPassword]')).to.equal(null);
  });

  it('changes the address by a code that is sent to the new one', async () => {
    withPassword();
    withoutSecondStep();
    await renderAccount();
    await press('Change e-mail address');
    await fill({ 'New e-mail address': 'grace@example.com', 'Current password': 'Password123!' });
    await press('Send code');
    await fill({ 'Code from the mail': '123 456' });
    await press('Confirm');
    await expectAnnouncement(/^Your e-mail address is now /, 'status');
    await expectClosed();
    expect(bodiesOf('emailChange')).to.deep.equal([
      { newEmail: 'grace@example.com', currentPassword: 'Password123!' },
    ]);
    expect(bodiesOf('emailChangeCheck')).to.deep.equal([{ code: '123456' }]);
  });

  it('verifies the address by a mailed code', async () => {
    await renderAccount();
    await press('Verify');
    await fill({ 'Code from the mail': '123456' });
    answer('me', {
      body: (example: { user: Example }) => ({
        ...example,
        user: { ...example.user, isEmailVerified: true },
      }),
    });
    await press('Confirm');
    await expectAnnouncement('Your e-mail address is verified.', 'status');
    await expectNoText('Address not verified');
  });

  it('says why no code could be sent', async () => {
    await renderAccount();
    answer('verificationEmailCode', { code: 'RATE_LIMITED', headers: { 'Retry-After': '90' } });
    await press('Verify');
    await expectAnnouncement(/./);
    await expectText(/^Possible again in/);
  });

  it('sets up an authenticator app and shows the recovery codes until they are saved', async () => {
    withPassword();
    withoutSecondStep();
    await renderAccount();
    await press('Set up');
    await fill({ 'Current password': 'Password123!' });
    await press('Set up');
    await fill({ 'Code from the authenticator app': '123456' });
    answer('secondFactor');
    await press('Turn on');
    await expectText(/^If you lose your phone/);
    pressEscape();
    await press('I have saved them');
    await expectAnnouncement('The second step is on.', 'status');
    await expectText('Remove app');
  });

  it('asks for a factor to remove the app', async () => {
    withPassword();
    await renderAccount();
    await press('Remove app');
    await fill({ 'Current password': 'Password123!', 'Code from the authenticator app': '123456' });
    await press('Remove app');
    await expectAnnouncement('The authenticator app is removed.', 'status');
    expect(bodiesOf('totpRemove')).to.deep.equal([{ currentPassword: 'Password123!', totpCode: '123456' }]);
  });

  const OTHER_SESSION = '9e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69';
  const withOtherDevice = () =>
    answer('listSessions', {
      body: ({ data: [example] }: { data: Example[] }) => ({
        data: [{ ...example, id: OTHER_SESSION, isCurrent: false }],
      }),
    });

  it('signs out another device, and says which one', async () => {
    withOtherDevice();
    await renderAccount();
    await press('Sign out “Chrome on Windows”');
    await expectAnnouncement('“Chrome on Windows” is signed out.', 'status');
    expect(listSent('endSession').map(({ path }) => path)).to.match(new RegExp(OTHER_SESSION));
    // The list has loaded again.
    expect(listSent('listSessions')).to.have.length(2);
  });

  it('shows the error of an action where the action is', async () => {
    withOtherDevice();
    await renderAccount();
    answer('endSession', 'unreachable');
    await press('Sign out “Chrome on Windows”');
    await expectAnnouncement('No answer. It is not known whether this was done.');
  });

  it('renames and removes a passkey', async () => {
    withPassword();
    await renderAccount();
    await press('Rename the passkey “My phone”');
    await fill({ Name: ' Old phone ' });
    await press('Rename');
    await expectAnnouncement('The passkey is renamed.', 'status');
    expect(bodiesOf('passkeyRename')).to.deep.equal([{ name: 'Old phone' }]);
    await press('Remove the passkey “My phone”?');
    await fill({ 'Current password': 'Password123!', 'Code from the authenticator app': '123456' });
    await press('Remove passkey');
    await expectAnnouncement('The passkey is removed.', 'status');
    expect(listSent('passkeyDelete')).to.have.length(1);
  });

  it('disconnects a provider', async () => {
    withPassword();
    await renderAccount();
    await press('Disconnect Company?');
    await fill({ 'Current password': 'Password123!' });
    await press('Disconnect');
    await expectAnnouncement('Company is disconnected.', 'status');
  });

  it('offers to sign in again where the proof is too old', async () => {
    withPassword();
    await renderAccount();
    await press('Disconnect Company?');
    answer('identityUnlink', { code: 'REAUTHENTICATION_REQUIRED' });
    await fill({ 'Current password': 'Password123!' });
    await press('Disconnect');
    await expectText('Sign in again');
  });

  it('deletes the account only after its address was typed', async () => {
    withPassword();
    await renderAccount();
    await press('Delete account');
    const proof = { 'Current password': 'Password123!', 'Code from the authenticator app': '123456' };
    await fill({ 'Type customer@example.com to confirm': 'somebody@example.com', ...proof });
    await press('Delete account');
    await expectText('This is not the address of the account.');
    expect(listSent('accountDelete')).to.deep.equal([]);
    await fill({ 'Type customer@example.com to confirm': 'customer@example.com' });
    await press('Delete account');
    await expectText('signed out');
  });

  it('says what could not be loaded, and loads it by a button', async () => {
    answer('me', { code: 'INTERNAL_ERROR' });
    await renderAccount();
    await expectAnnouncement('This could not be loaded.');
    answer('me');
    await press('Try again');
    await expectText('Ada Lovelace');
  });

  it('switches to German at once', async () => {
    await renderAccount();
    await user.selectOptions(await findField('Language'), 'de');
    await expectText('Ihre Daten');
    await user.selectOptions(await findField('Sprache'), 'en');
    await expectText('Your data');
  });
});

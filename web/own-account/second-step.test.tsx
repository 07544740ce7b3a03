import { screen, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, answerSignedIn, bodiesOf, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press, pressEscape, user } from '../testing/screen.ts';
import { OwnAccount } from './own-account.tsx';

type Example = Record<string, unknown>;

const PASSWORD = { 'Current password': 'Password123!' };
const FACTOR = { ...PASSWORD, 'Code from your app': '123456' };
const withState = (state: Example = {}) =>
  answer('secondFactor', { body: (example: Example) => ({ ...example, ...state }) });
const NOTHING = { totp: null, isRequired: false, recoveryCodesLeft: 0, passkeys: [] };
const findSwitch = () => screen.findByRole<HTMLInputElement>('switch');

describe('second step of the own account', () => {
  const renderAccount = () => renderScreen(<OwnAccount />, { isSignedIn: true });
  const startSetUp = async () => {
    withState(NOTHING);
    await renderAccount();
    await press('Set up an authenticator app');
    await fill(PASSWORD);
    await press('Set up');
  };

  beforeEach(() => {
    answerSignedIn({ isEmailVerified: true });
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: true }) });
  });

  it('sets up an app, and shows the recovery codes until they are saved', async () => {
    await startSetUp();
    await findField('Then enter the 6-digit code it shows');
    const link = document.querySelector<HTMLAnchorElement>('dialog[open] a');
    expect(link?.href).to.match(/^otpauth:/);
    withState();
    await user.type(await findField('Then enter the 6-digit code it shows'), '123456');
    await expectText(/^If you lose your phone/);
    // A screen reader begins before the codes, not at a button below them.
    expect(document.activeElement?.textContent).to.equal('Save your recovery codes');
    pressEscape();
    const looksActive = () => screen.getByText('I’ve saved my codes').matches('.button-main');
    expect(looksActive()).to.equal(false);
    await press('I’ve saved my codes');
    await expectText('Copy, download or print the codes first.');
    await press('Copy');
    await expectText('Copied');
    expect(looksActive()).to.equal(true);
    await press('I’ve saved my codes');
    await expectAnnouncement('The authenticator app is on.', 'status');
    await expectText('On, because you use an authenticator app');
  });

  it('says that the code of the app is wrong, and takes another one', async () => {
    await startSetUp();
    answer('totpConfirm', { code: 'SECOND_FACTOR_INVALID' });
    await fill({ 'Then enter the 6-digit code it shows': '000000' });
    await expectText('That code is wrong. Codes change every 30 seconds.');
    answer('totpConfirm');
    await fill({ 'Then enter the 6-digit code it shows': '123456' });
    await expectText('Save your recovery codes');
  });

  it('is switched on with the password, and off with a factor, too', async () => {
    withState({ totp: null, isRequired: false, recoveryCodesLeft: 0 });
    await renderAccount();
    await user.click(await findSwitch());
    await fill(PASSWORD);
    withState({ totp: null });
    await press('Turn on');
    await expectText('Save your recovery codes');
    await press('Copy');
    await press('I’ve saved my codes');
    await expectAnnouncement('The second step is on.', 'status');
    expect((await findSwitch()).checked).to.equal(true);

    answer('secondFactorChange', { body: ({ recoveryCodes: _none, ...example }: Example) => example });
    await user.click(await findSwitch());
    await fill({ ...PASSWORD, 'Recovery code': 'ab' });
    await press('Turn off');
    await expectAnnouncement('The second step is off.', 'status');
    expect(bodiesOf('secondFactorChange')).to.deep.equal([
      { currentPassword: 'Password123!', isRequired: true },
      { currentPassword: 'Password123!', recoveryCode: 'ab', isRequired: false },
    ]);
  });

  it('cannot be switched on before the address is verified', async () => {
    answerSignedIn({ isEmailVerified: false });
    withState(NOTHING);
    await renderAccount();
    expect((await findSwitch()).disabled).to.equal(true);
  });

  it('leads from the switch to the set-up of an app where there is no passkey', async () => {
    withState(NOTHING);
    await renderAccount();
    await user.click(await findSwitch());
    await expectText('Set up an authenticator app');
    expect((await findSwitch().catch(() => undefined))?.checked ?? false).to.equal(false);
  });

  it('has no switch with an app, whose removal wants a factor', async () => {
    withState();
    await renderAccount();
    await press('Remove app');
    expect(screen.queryByRole('switch')).to.equal(null);
    await fill(FACTOR);
    await press('Remove app');
    await expectAnnouncement('The authenticator app was removed.', 'status');
    expect(bodiesOf('totpRemove')).to.deep.equal([{ currentPassword: 'Password123!', totpCode: '123456' }]);
  });

  it('replaces the recovery codes, and takes them as saved when they were selected and copied', async () => {
    withState();
    await renderAccount();
    await press('New codes');
    await fill(FACTOR);
    await press('Create codes');
    await expectText('Save your recovery codes');
    const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leave(), 'leaves the page without a question').to.equal(false);
    const codes = [...document.querySelectorAll('.recovery-codes li')].map(({ textContent }) => textContent);
    expect(codes[0]).to.match(/^\w{5}-\w{5}$/);
    expect(document.querySelector('.dialog-covering'), 'a page that is left visible').to.equal(null);
    document.querySelector('.recovery-codes')?.dispatchEvent(new Event('copy', { bubbles: true }));
    await expectNoText('Copy, download or print the codes first.');
    await press('I’ve saved my codes');
    await expectAnnouncement('You have new recovery codes.', 'status');
  });

  it('renames and removes a passkey in its own row', async () => {
    withState();
    await renderAccount();
    await press('Rename “My phone”');
    await fill({ Name: ' Old phone ' });
    await press('Rename');
    await expectAnnouncement('The passkey was renamed.', 'status');
    expect(bodiesOf('passkeyRename')).to.deep.equal([{ name: 'Old phone' }]);
    await press('Remove “My phone”');
    await fill(FACTOR);
    await press('Remove passkey');
    await expectAnnouncement('The passkey was removed.', 'status');
    expect(listSent('passkeyDelete')).to.have.length(1);
  });

  it('says of the last factor that the second step ends with it', async () => {
    withState({ ...NOTHING, totp: { enabledAt: '2026-11-20T09:30:00.000Z' }, isRequired: true });
    await renderAccount();
    await press('Remove app');
    await expectText(/^Then your password alone signs you in/);
  });

  it('keeps the last way to sign in', async () => {
    withState(NOTHING);
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: false }) });
    await renderAccount();
    await expectText('Your only way to sign in');
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Disconnect/ })).to.equal(null));
  });
});

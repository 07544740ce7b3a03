import { cleanup, screen, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { getSettings } from '../page/settings.ts';
import { rememberRemoved } from '../session/removed-by-proof.ts';
import { answer, bodiesOf, listSent } from '../testing/contract.ts';
import {
  expectAnnouncement,
  expectClosed,
  expectFieldError,
  expectNoText,
  expectText,
} from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press, pressEscape, user } from '../testing/screen.ts';
import { OwnAccount } from './own-account.tsx';

type Example = Record<string, unknown>;

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('own account', () => {
  const renderAccount = () => renderScreen(<OwnAccount />, { isSignedIn: true });
  const disconnect = async () => {
    await renderAccount();
    await press('Disconnect Company?');
    await fill({ 'Current password': 'Password123!' });
    await press('Disconnect');
  };
  beforeEach('have a password', () =>
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: true }) }),
  );

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
    await expectAnnouncement('Profile saved.', 'status');
    await expectClosed();
    await expectText('Grace Lovelace');
    expect(bodiesOf('profileChange')).to.deep.equal([
      { firstName: 'Grace', lastName: 'Lovelace', phone: null },
    ]);
  });

  it('sets the first password with a mailed code, and signs in with it', async () => {
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: false }) });
    await renderAccount();
    await press('Set a password');
    await expectText(/^We sent a 6-digit code to/);
    await fill({ '6-digit code': '123456', 'New password': 'Fahrrad-am-See-27' });
    await press('Set password and sign in');
    await expectAnnouncement('Your password is set.', 'status');
    await expectClosed();
    const email = 'customer@example.com';
    expect(bodiesOf('resetPasswordEmailCode')).to.deep.equal([
      { email, code: '123456', newPassword: 'Fahrrad-am-See-27' },
    ]);
    expect(bodiesOf('signIn').at(-1)).to.deep.equal({ email, password: 'Fahrrad-am-See-27' });
  });

  it('says what the sign-in has removed as the first proof of the address, and offers a password', async () => {
    rememberRemoved({ removedByProof: ['password', 'profile', 'of-a-later-release'] });
    await renderAccount();
    await expectAnnouncement(
      'Your email is verified. For your safety the password and name from before were removed.',
      'status',
    );
    await press('Set a password');
    await findField('New password');
  });

  it('says what was done in the group of the action, and scrolls there', async () => {
    const scrolledTo: Element[] = [];
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function scroll(this: Element) {
      scrolledTo.push(this);
    };
    try {
      await disconnect();
      await expectAnnouncement('Company was disconnected.', 'status');
      const line = document.querySelector('.status-line');
      expect(line?.closest('.item-group')?.querySelector('h3')?.textContent).to.equal('Connected accounts');
      expect(scrolledTo.some((place) => place.contains(line))).to.equal(true);
      await press('Edit profile');
      await press('Save changes');
      await expectAnnouncement('Profile saved.', 'status');
      expect(document.querySelectorAll('.status-line')).to.have.length(1);
      expect(document.querySelector('.status-line')?.closest('.card')?.textContent).to.match(/^Profile/);
    } finally {
      Element.prototype.scrollIntoView = scrollIntoView;
    }
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
    await renderAccount();
    await press('Change password');
    answer('resetPasswordMe', { code: 'CURRENT_PASSWORD_WRONG' });
    await fill({ 'Current password': 'Password1!', 'New password': 'Password456!' });
    await press('Change password');
    await expectFieldError('Current password', 'The current password is wrong.');
    answer('resetPasswordMe');
    await fill({ 'Current password': 'Password123!' });
    await press('Change password');
    await expectAnnouncement('Password changed. Your other devices were signed out.', 'status');
    expect(bodiesOf('resetPasswordMe').at(-1)).to.deep.equal({
      currentPassword: 'Password123!',
      newPassword: 'Password456!',
    });
    // No password stays in the page.
    expect(document.querySelector('input[name=currentPassword]')).to.equal(null);
  });

  const OTHER_SESSION = '9e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69';
  const withOtherDevice = (refreshedAt = '2026-01-19T12:00:00.000Z') =>
    answer('listSessions', {
      body: ({ data: [example] }: { data: Example[] }) => ({
        data: [{ ...example, id: OTHER_SESSION, isCurrent: false, refreshedAt }],
      }),
    });

  it('signs out another device, and says which one', async () => {
    withOtherDevice();
    await renderAccount();
    await press('Sign out “Chrome on Windows”');
    await expectAnnouncement('“Chrome on Windows” was signed out.', 'status');
    expect(listSent('endSession').map(({ path }) => path)).to.match(new RegExp(OTHER_SESSION));
    // The list has loaded again.
    expect(listSent('listSessions')).to.have.length(2);
  });

  it('has no button to sign out the device in use', async () => {
    answer('listSessions', {
      body: ({ data: [example] }: { data: Example[] }) => ({ data: [{ ...example, isCurrent: true }] }),
    });
    await renderAccount();
    await expectText(/Active now/);
    expect(screen.queryByRole('button', { name: /^Sign out “/ })).to.equal(null);
  });

  it('shows the error of an action where the action is', async () => {
    withOtherDevice();
    await renderAccount();
    answer('endSession', 'unreachable');
    await press('Sign out “Chrome on Windows”');
    await expectAnnouncement('No answer. It is not known whether this was done.');
  });

  it('shows the logo of a provider, and an icon without one', async () => {
    const { providerLogos } = getSettings();
    await renderAccount();
    const findRow = async () => (await screen.findByText('Company')).closest('.item');
    expect((await findRow())?.querySelector('img')).to.equal(null);
    Object.assign(providerLogos, { company: 'provider-company.svg' });
    cleanup();
    await renderAccount();
    expect((await findRow())?.querySelector('img')?.getAttribute('src')).to.match(/provider-company\.svg$/);
    Reflect.deleteProperty(providerLogos, 'company');
  });

  it('disconnects a provider', async () => {
    await disconnect();
    await expectAnnouncement('Company was disconnected.', 'status');
  });

  it('offers to sign in again where the proof is too old', async () => {
    answer('identityUnlink', { code: 'REAUTHENTICATION_REQUIRED' });
    await disconnect();
    await expectText('Sign in again');
  });

  it('deletes the account only after its address was typed', async () => {
    await renderAccount();
    await press('Delete account');
    const proof = { 'Current password': 'Password123!', 'Code from your app': '123456' };
    await fill({ 'Type customer@example.com to confirm': 'somebody@example.com', ...proof });
    await press('Delete account');
    await expectText('This isn’t the address of your account.');
    expect(listSent('accountDelete')).to.deep.equal([]);
    await fill({ 'Type customer@example.com to confirm': ' Customer@Example.com' });
    await press('Delete account');
    await expectText('signed out');
  });

  it('focuses the first wrong field of the deletion, and takes each digit of a code that was missing', async () => {
    await renderAccount();
    await press('Delete account');
    await press('Delete account');
    await expectFieldError('Type customer@example.com to confirm', 'Enter your email.');
    const code = await findField('Code from your app');
    await user.type(code, '482913');
    expect(code.value).to.equal('482913');
  });

  for (const [factor, label, sentence] of [
    ['totp', 'Code from your app', 'That code is wrong. Codes change every 30 seconds.'],
    ['recovery-code', 'Recovery code', 'That code is wrong or was used before.'],
  ] as const)
    it(`says at its field what is wrong with the factor of a dialog: ${factor}`, async () => {
      answer('accountDelete', { code: 'SECOND_FACTOR_INVALID' });
      await renderAccount();
      await press('Delete account');
      await user.selectOptions(await findField('Confirm with'), factor);
      await fill({
        'Type customer@example.com to confirm': 'customer@example.com',
        'Current password': 'Password123!',
        [label]: '482913',
      });
      await press('Delete account');
      await expectFieldError(label, sentence);
    });

  it('says what each empty field of a dialog wants', async () => {
    answer('emailChangePending', { body: () => ({ pending: null }) });
    await renderAccount();
    await press('Delete account');
    await user.selectOptions(await findField('Confirm with'), 'recovery-code');
    await press('Delete account');
    for (const sentence of ['Enter your email.', 'Enter your password.', 'Enter a recovery code.'])
      await expectText(sentence);
    pressEscape();
    await press('Change password');
    await press('Change password');
    for (const sentence of ['Enter your password.', 'Enter at least 8 characters.'])
      await expectText(sentence);
    pressEscape();
    await press('Change your email');
    await press('Send code');
    await expectFieldError('New email', 'Enter your new email.');
    await expectNoText('Fill in this field.');
  });

  it('says why an account with a role is not deleted', async () => {
    answer('accountDelete', { code: 'PLATFORM_ROLE_TAKEN' });
    await renderAccount();
    await press('Delete account');
    await fill({
      'Type customer@example.com to confirm': 'customer@example.com',
      'Current password': 'Password123!',
      'Code from your app': '123456',
    });
    await press('Delete account');
    await expectAnnouncement(
      'Your account has a role. An administrator can remove it, and delete the account.',
    );
  });

  it('says in words when a device was active last', async () => {
    const HOUR = 3_600_000;
    const actives = { [-HOUR * 3]: '3 hours ago', [0]: 'just now' };
    for (const [age, words] of Object.entries(actives)) {
      withOtherDevice(new Date(Date.now() + Number(age)).toISOString());
      await renderAccount();
      await expectText(`Last active ${words}`);
      cleanup();
    }
    withOtherDevice('2026-01-19T12:00:00.000Z');
    await renderAccount();
    await expectText('Last active on 19 January 2026');
  });

  it('separates the facts of a device by text, which screen readers read, too', async () => {
    withOtherDevice();
    await renderAccount();
    await expectText('Last active on 19 January 2026');
    const [note] = screen.getAllByText(/Last active on/);
    expect(note?.closest('.item-note')?.textContent).to.match(/^Last active on 19 January 2026 · .+ · .+$/);
  });

  it('scrolls to the card that a mail leads to, once it has its data', async () => {
    const shown: string[] = [];
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function scroll() {
      shown.push(this.id);
    };
    try {
      for (const id of ['devices', 'signing-in']) {
        await renderScreen(<OwnAccount />, { isSignedIn: true, path: `/#${id}` });
        await waitFor(() => expect(shown.at(-1)).to.equal(id));
        cleanup();
      }
    } finally {
      Element.prototype.scrollIntoView = scrollIntoView;
    }
  });

  it('shows the sign-ins and failed ones, with the names of the providers, and older ones by a button', async () => {
    const entry = { kind: 'customer', ip: '203.0.113.7', userAgent: CHROME, isNewDevice: false };
    const [first, second, third] = ['03', '02', '01'].map((day) => ({
      ...entry,
      at: `2026-11-${day}T09:12:00.000Z`,
    }));
    answer('signIns', {
      body: () => ({
        data: [
          { ...first, result: 'SIGNED_IN', methods: ['oidc:company'] },
          { ...second, result: 'WRONG_PASSWORD', methods: [] },
        ],
        nextCursor: 'older',
      }),
    });
    await renderAccount();
    expect(listSent('signIns'), 'before it is opened').to.deep.equal([]);
    await user.click(await screen.findByText('Sign-in history'));
    await expectText('Company');
    await expectText('Wrong password');
    expect(screen.getAllByRole('heading', { name: / November 2026$/ })).to.have.lengthOf(2);
    answer('signIns', {
      isOfLaterRelease: true,
      body: () => ({ data: [{ ...third, result: 'OF_A_LATER_RELEASE', methods: [] }], nextCursor: null }),
    });
    await press('Show older sign-ins');
    await expectText('Failed');
    expect(listSent('signIns').at(-1)?.query.get('cursor')).to.equal('older');
    await expectNoText('Show older sign-ins');
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

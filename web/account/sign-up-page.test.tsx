import { waitFor, within } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { createPageClient } from '../session/platform.ts';
import { answer, listSent } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, onTop, press, user } from '../testing/screen.ts';
import { SignUpPage } from './sign-up-page.tsx';

const EMAIL = 'ada@example.com';
const PASSWORD = 'Fahrrad-am-See-27';

let worker: EventTarget | undefined;

/** A worker that never solves the challenge, in place of the class of the browser. */
function createWorker() {
  worker = Object.assign(new EventTarget(), { postMessage: () => undefined, terminate: () => undefined });
  return worker;
}

describe('sign-up page', () => {
  const renderSignUp = (isSignedIn = false) =>
    renderScreen(<SignUpPage />, {
      isSignedIn,
      base: '/account/customer',
      path: '/sign-up?returnTo=%2Forders',
    });

  it('creates the account, signs in, and goes on to the verification, with the query', async () => {
    await renderSignUp();
    await fill({ Email: ` ${EMAIL}`, Password: PASSWORD, 'First name (optional)': 'Ada' });
    await press('Create account');
    await waitFor(() => expect(window.location.pathname).to.equal('/account/customer/verify'));
    expect(window.location.search).to.equal('?returnTo=%2Forders');
    expect(listSent('signUp')[0]?.body).to.deep.equal({ email: EMAIL, password: PASSWORD, firstName: 'Ada' });
  });

  it('offers the providers first, and no passkey', async () => {
    await renderSignUp();
    await expectText('or with your email');
    await expectText('Continue with Company');
    await expectNoText('Sign in with a passkey');
  });

  it('says whether the password is long enough and frequent while it is typed', async () => {
    await renderSignUp();
    for (const [password, strength] of [
      ['sommer', 'Too short'],
      ['Password1', 'Easy to guess'],
      ['Sommer2026', 'Easy to guess'],
      [PASSWORD, 'Long enough'],
    ] as const) {
      await fill({ Password: password });
      await expectText(strength);
    }
  });

  it('shows a password that the platform rejects as rejected, until another one is typed', async () => {
    await renderSignUp();
    const details = [{ path: '/body/password', message: '', rule: 'breached-password' }];
    answer('signUp', { code: 'VALIDATION_FAILED', body: (example: object) => ({ ...example, details }) });
    await fill({ Email: EMAIL, Password: PASSWORD });
    await press('Create account');
    await expectNoText('Long enough');
    expect(document.querySelector('.strength-1')).not.to.equal(null);
    await user.type(await findField('Password'), '!');
    await expectText('Long enough');
  });

  it('leads from a taken address to the sign-in, in the error of the field, with the address', async () => {
    await renderSignUp();
    answer('signUp', { code: 'EMAIL_TAKEN' });
    await fill({ Email: EMAIL, Password: PASSWORD });
    await press('Create account');
    await expectText(/^There’s already an account with this email\./);
    const field = await findField('Email');
    const error = document.getElementById((field.getAttribute('aria-describedby') ?? '').split(' ')[0] ?? '');
    expect(error?.textContent).to.include('Sign in instead');
    await press('Sign in instead');
    await waitFor(() => expect(window.location.pathname).to.equal('/account/customer/sign-in'));
    expect(history.state.email).to.equal(EMAIL);
  });

  it('leads from a taken address to the sign-in of the other kind, too', async () => {
    await renderSignUp();
    answer('signUp', { code: 'EMAIL_TAKEN' });
    await fill({ Email: EMAIL, Password: PASSWORD });
    await press('Create account');
    const taken = await onTop().findByText(/^There’s already an account/);
    expect(taken.textContent).to.include('Employee account?');
    await user.click(within(taken).getByRole('link', { name: 'Sign in there' }));
    await waitFor(() => expect(window.location.pathname).to.equal('/account/employee/sign-in'));
    expect(window.location.search).to.equal('?returnTo=%2Forders');
    expect(history.state.email).to.equal(EMAIL);
  });

  it('creates no second account after a sign-in that failed', async () => {
    await renderSignUp();
    answer('signIn', 'unreachable');
    await fill({ Email: EMAIL, Password: PASSWORD });
    await press('Create account');
    await waitFor(() => expect(listSent('signIn')).to.have.length(1));
    await waitFor(() => expect(document.querySelector('[role=alert] .notice')).not.to.equal(null));
    answer('signIn');
    await press('Create account');
    await waitFor(() => expect(window.location.pathname).to.equal('/account/customer/verify'));
    expect(listSent('signUp')).to.have.length(1);
  });

  it('goes on where the sign-up whose answer was lost has created the account, as its password tells', async () => {
    await renderSignUp();
    answer('signUp', 'unreachable');
    await fill({ Email: EMAIL, Password: PASSWORD });
    await press('Create account');
    await waitFor(() => expect(document.querySelector('[role=alert] .notice')).not.to.equal(null));
    answer('signUp', { code: 'EMAIL_TAKEN' });
    answer('signIn', { code: 'INVALID_CREDENTIALS' });
    await press('Create account');
    await expectText(/^There’s already an account with this email\./);
    answer('signIn');
    await press('Create account');
    await waitFor(() => expect(window.location.pathname).to.equal('/account/customer/verify'));
  });

  it('says that it checks for bots while it does', async () => {
    const { Worker } = globalThis;
    Object.assign(globalThis, { Worker: createWorker });
    try {
      // The policy of the pages trusts scripts below this path.
      await renderScreen(<SignUpPage />, { base: '/assets', path: '/sign-up' });
      answer('signUp', { code: 'BOT_CHECK_REQUIRED' });
      await fill({ Email: EMAIL, Password: PASSWORD });
      await press('Create account');
      await expectText('Making sure you’re human …');
      answer('signUp');
      worker?.dispatchEvent(Object.assign(new Event('message'), { data: { solution: {} } }));
      await waitFor(() => expect(window.location.pathname).to.equal('/assets/verify'));
    } finally {
      Object.assign(globalThis, { Worker });
    }
  });

  it('asks who is signed in first, because another account ends that session', async () => {
    await renderSignUp(true);
    await expectText('Welcome back');
    await expectText('Continue as Ada Lovelace');
    await expectText('Creating another account signs you out here.');
    expect(document.activeElement?.textContent).to.equal('Welcome back');
    await press('Use another account');
    await waitFor(() => expect(listSent('signOut')).to.have.length(1));
  });

  it('names nobody else when another person signs in, in another tab', async () => {
    const client = createPageClient('customer');
    await client.signIn({ email: EMAIL, password: PASSWORD });
    await renderScreen(<SignUpPage />, { client, base: '/account/customer', path: '/sign-up' });
    await expectText('Continue as Ada Lovelace');
    answer('signIn', {
      body: (example: { user: object }) => ({
        ...example,
        user: { ...example.user, id: '9e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69', email: 'bob@example.com' },
      }),
    });
    await client.signIn({ email: 'bob@example.com', password: PASSWORD });
    await expectText('Continue as bob@example.com');
    await expectNoText(/Ada/);
    client.close();
  });

  it('names nobody whose session has ended elsewhere', async () => {
    answer('me', { code: 'TOKEN_INVALID' });
    answer('refreshToken', { code: 'TOKEN_INVALID' });
    await renderSignUp(true);
    await waitFor(() => expect(document.body.textContent).not.to.include('customer@example.com'));
    await expectNoText('Welcome back');
  });
});

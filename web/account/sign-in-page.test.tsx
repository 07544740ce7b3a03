import { screen, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { rememberPlace } from '../signing-in/callback-url.ts';
import { answer } from '../testing/contract.ts';
import { expectAnnouncement, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, press } from '../testing/screen.ts';
import { CallbackPage } from './callback-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

const BASE = '/account/customer';
const PATH = '/sign-in?returnTo=%2Forders';

const addressesOf = async (name: string) =>
  (await screen.findAllByRole('link', { name })).map((link) => link.getAttribute('href'));

describe('other entrances of the sign-in page', () => {
  it('keep where the person wants to go', async () => {
    await renderScreen(<SignInPage />, { base: BASE, path: PATH });
    expect(await addressesOf('Create an account')).to.deep.equal([`${BASE}/sign-up?returnTo=%2Forders`]);
    expect(await addressesOf('Sign in there')).to.deep.equal([
      '/account/employee/sign-in?returnTo=%2Forders',
    ]);
  });

  it('are named again by the error of a wrong password', async () => {
    await renderScreen(<SignInPage />, { base: BASE, path: PATH });
    answer('signIn', { code: 'INVALID_CREDENTIALS' });
    await fill({ Email: 'ada@example.com', Password: 'Password1!' });
    await press('Sign in');
    await expectAnnouncement(/^Email and password don’t match\..*Sign in there$/m);
  });

  it('keep it also after a sign-in at a provider that failed', async () => {
    history.replaceState(null, '', BASE + PATH);
    rememberPlace();
    await renderScreen(<CallbackPage kind="customer" />, { base: BASE, path: '/callback/company' });
    await expectText('This sign-in is no longer valid. Start again.');
    await waitFor(async () =>
      expect(await addressesOf('Create an account')).to.deep.equal([`${BASE}/sign-up?returnTo=%2Forders`]),
    );
  });
});

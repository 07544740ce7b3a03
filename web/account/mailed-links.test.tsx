import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import type { ComponentType } from 'react';
import { forgetLinkedCode, takeMailedCode } from '../session/mailed-code-link.ts';
import { createPageClient } from '../session/platform.ts';
import { answer, listSent } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { findField, press } from '../testing/screen.ts';
import { ResetPasswordPage } from './reset-password-page.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { SignedInPages } from './signed-in-pages.tsx';

const BASE = '/account/customer';
const OWN = 'customer@example.com';
const OTHER = 'grace@example.com';

describe('link of a mail', () => {
  afterEach('forget the link', forgetLinkedCode);

  const open = async (Page: ComponentType, path: string, email: string, isSignedIn: boolean) => {
    history.replaceState(null, '', `${BASE}${path}#code=243995&email=${encodeURIComponent(email)}`);
    takeMailedCode();
    const client = createPageClient('customer');
    if (isSignedIn) await client.signIn({ email: OWN, password: 'Password123!' });
    await renderScreen(<Page />, { client, base: BASE, path, state: history.state });
    return client;
  };

  for (const [path, page, field] of [
    ['/verify', SignedInPages, 'Password'],
    ['/reset-password', ResetPasswordPage, '6-digit code'],
    ['/sign-in', SignInPage, '6-digit code'],
  ] as const) {
    it(`to ${path} asks first where another account is signed in, and takes the other one if it is wanted`, async () => {
      const client = await open(page, path, OTHER, true);
      await expectText(`This link is for ${OTHER}. On this device you’re signed in with another account.`);
      await expectText(OWN);
      await press('Use another account');
      await findField(field);
      expect(listSent('signOut')).to.have.length(1);
      client.close();
    });
  }

  it('asks once, and goes on with the account that is signed in', async () => {
    const client = await open(ResetPasswordPage, '/reset-password', OTHER, true);
    await press('Continue as Ada Lovelace');
    await waitFor(() => expect(window.location.pathname).to.equal(`${BASE}/`));
    client.close();
  });

  it('shows the code large for the device that signed up where nobody is signed in, above the sign-in', async () => {
    const client = await open(SignedInPages, '/verify', OTHER, false);
    await expectText('Verify your email');
    await expectText('Enter this code where you signed up:');
    await expectText('243 995');
    expect((await findField('Email')).value).to.equal(OTHER);
    client.close();
  });
});

describe('page that waits for the code of a mail', () => {
  it('says that its session ended because another device has verified the address', async () => {
    const client = createPageClient('customer');
    await client.signIn({ email: OWN, password: 'Password123!' });
    await renderScreen(<SignedInPages />, { client, base: BASE, path: '/verify' });
    await findField('6-digit code');
    for (const operation of ['me', 'refreshToken']) answer(operation, { code: 'TOKEN_INVALID' });
    await expectText('Your email was verified on another device. Sign in to go on.');
    await expectNoText('Your session has ended. Sign in again.');
    expect((await findField('Email')).value).to.equal(OWN);
    client.close();
  });
});

import { linkIdentity, signInWith } from '@platform/client/oidc';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { createPageClient } from '../session/platform.ts';
import { readRemoved } from '../session/removed-by-proof.ts';
import { answer, bodiesOf } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { plainFrame } from '../testing/render-sign-in.tsx';
import { findField, press } from '../testing/screen.ts';
import { Callback } from './callback.tsx';
import { takeCallbackUrl } from './callback-url.ts';
import { readLastUsed } from './last-used.ts';

const PATH = '/callback/company';

describe('callback page of a provider', () => {
  let outcomes: unknown[];

  const renderCallback = async (purpose?: 'sign-in' | 'link') => {
    outcomes = [];
    const client = createPageClient('customer');
    const departure = { redirectUri: window.location.origin + PATH };
    const stay = { navigate: () => undefined };
    for (const operation of ['oidcAuthorize', 'identityAuthorize'])
      answer(operation, {
        body: (example: object) => ({
          ...example,
          authorizationUrl: 'https://login.example.com/auth?client_id=platform&state=abc',
        }),
      });
    if (purpose === 'link') {
      await client.signIn({ email: 'ada@example.com', password: 'Password123!' });
      await linkIdentity(client, 'company', { ...departure, currentPassword: 'Password123!' }, stay);
    }
    if (purpose === 'sign-in') await signInWith(client, 'company', departure, stay);
    if (purpose) history.replaceState(null, '', `${PATH}?code=secret&state=abc`);
    takeCallbackUrl('/callback');
    await renderScreen(
      <Callback
        frame={plainFrame}
        onSignedIn={() => outcomes.push('signed in')}
        onLinked={(provider) => outcomes.push(['linked', provider])}
        takenHint={<p>Other kind?</p>}
      >
        {() => <p>New here?</p>}
      </Callback>,
      { client, path: PATH },
    );
  };
  const failSignIn = async (code: string) => {
    answer('oidcSignIn', { code });
    await renderCallback('sign-in');
  };
  // In development, React calls an effect twice.
  const untilOutcome = (outcome: unknown) => waitFor(() => expect(outcomes[0]).to.deep.equal(outcome));

  it('completes the sign-in with the whole address, and remembers the provider for the next one', async () => {
    answer('oidcSignIn', { body: (example: object) => ({ ...example, removedByProof: ['profile'] }) });
    await renderCallback('sign-in');
    await untilOutcome('signed in');
    expect(readRemoved(), 'for the own account to say').to.deep.equal(['profile']);
    const { origin } = window.location;
    expect(bodiesOf('oidcSignIn')).to.deep.equal([{ callbackUrl: `${origin}${PATH}?code=secret&state=abc` }]);
    expect(readLastUsed('customer', 'method')).to.equal('oidc:company');
    expect(window.location.search).to.equal('');
  });

  it('connects the provider to the account', async () => {
    await renderCallback('link');
    await untilOutcome(['linked', 'Company']);
    expect(bodiesOf('identityLink')).to.have.length(1);
  });

  it('says which connection failed and why, and leads back to the account', async () => {
    answer('identityLink', { code: 'IDENTITY_TAKEN' });
    await renderCallback('link');
    await expectText('Connecting Company failed');
    await waitFor(() =>
      expect(document.querySelector('[role=alert] .notice')?.textContent).not.to.be.oneOf(['', undefined]),
    );
    await press('Go to your account');
    await untilOutcome(['linked', undefined]);
  });

  it('asks for the second step that is due', async () => {
    await failSignIn('SECOND_FACTOR_REQUIRED');
    await findField('Code from your app');
    expect(outcomes).to.deep.equal([]);
  });

  it('names the account that exists already, and asks nothing twice', async () => {
    await failSignIn('ACCOUNT_EXISTS');
    await expectText('Connect Company');
    await expectText(/^There is already an account/);
    await expectText('Sign in to it once. After that, Company signs you in too.');
    await expectText('Sign in and connect');
    // It would lead back here.
    await expectNoText('Continue with Company');
  });

  it('fills in the address of the account that exists already', async () => {
    const email = 'grace@example.com';
    answer('oidcSignIn', { code: 'ACCOUNT_EXISTS', body: (example: object) => ({ ...example, email }) });
    await renderCallback('sign-in');
    await expectText('There is already an account for');
    expect((await findField('Email')).value).to.equal(email);
  });

  it('says where the sign-in was cancelled, and offers every way again', async () => {
    await failSignIn('OIDC_DENIED');
    await expectAnnouncement('You cancelled at Company, or it refused the sign-in.');
    await expectText('Continue with Company');
    await findField('Password');
    await expectText('New here?');
  });

  it('leads to the other kind of account that has the address', async () => {
    await failSignIn('EMAIL_TAKEN');
    await expectAnnouncement(/^There is already an account with this email address\.Other kind\?/);
  });

  it('names the provider that has not verified the address', async () => {
    await failSignIn('OIDC_EMAIL_UNVERIFIED');
    await expectAnnouncement('Verify your email at Company first.');
  });

  it('leads to the support if the account is blocked', async () => {
    await failSignIn('USER_BLOCKED');
    await expectText('Your account is blocked');
    await expectAnnouncement('You cannot sign in at the moment. Our support can tell you why.');
    await press('Use another account');
    await findField('Password');
    await expectNoText(/is blocked/);
  });

  it('has nothing to complete after a reload', async () => {
    await renderCallback();
    await expectText('This sign-in is no longer valid. Start again.');
    expect(bodiesOf('oidcSignIn')).to.deep.equal([]);
  });
});

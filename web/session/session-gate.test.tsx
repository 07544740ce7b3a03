import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { SignInAgain } from '../signing-in/sign-in-again.tsx';
import { answer } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press } from '../testing/screen.ts';
import { readDraft, saveDraft } from './drafts.ts';
import { createPageClient, type Platform } from './platform.ts';
import { SessionGate, useSignedIn } from './session-gate.tsx';

const Page = () => {
  const { user, signInAgain } = useSignedIn();
  return (
    <>
      <p>page of {user.email}</p>
      <label>
        Note <input />
      </label>
      <button type="button" onClick={() => void signInAgain()}>
        Prove
      </button>
    </>
  );
};

describe('session gate', () => {
  const renderGate = async (): Promise<Platform['client']> => {
    const { client } = await renderScreen(
      <SessionGate
        signIn={(reason) => <p>signed out: {reason ?? 'never signed in'}</p>}
        signInAgain={(props) => <SignInAgain {...props} name="Ada Lovelace" />}
      >
        <Page />
      </SessionGate>,
    );
    return client;
  };
  const CREDENTIALS = { email: 'customer@example.com', password: 'Password123!' };
  const renderSignedIn = async () => {
    const client = await renderGate();
    await expectText('signed out: never signed in');
    await client.signIn(CREDENTIALS);
    await expectText('page of customer@example.com');
    return client;
  };
  const inOtherTab = async (act: (client: Platform['client']) => Promise<unknown>) => {
    const other = createPageClient('customer');
    await act(other);
    other.close();
  };

  it('shows the page to who signs in, and the sign-in after they sign out', async () => {
    const client = await renderSignedIn();
    saveDraft('note', 'of the first person');
    history.replaceState({ search: 'Lovelace' }, '');
    await client.signOut();
    await expectText('signed out: SIGNED_OUT');
    expect(history.state, 'the search of a list').to.equal(null);
    expect(readDraft('note')).to.equal('');
  });

  it('keeps the page with what was typed when the session expires, and signs in again over it', async () => {
    const client = await renderSignedIn();
    await fill({ Note: 'half a sentence' });
    saveDraft('note', 'of the first person');
    answer('me', { code: 'TOKEN_INVALID' });
    answer('refreshToken', { code: 'TOKEN_INVALID' });
    await client.me().catch(() => undefined);
    await expectText('Your session has ended');
    await expectText('Ada Lovelace');
    await expectText('customer@example.com');
    answer('me');
    answer('refreshToken');
    await fill({ Password: 'Password123!' });
    await press('Sign in again');
    await expectNoText('Your session has ended');
    expect((await findField('Note')).value).to.equal('half a sentence');
    expect(readDraft('note')).to.equal('of the first person');
  });

  it('deletes drafts when another account is chosen after the session has expired', async () => {
    const client = await renderSignedIn();
    saveDraft('note', 'of the first person');
    answer('me', { code: 'TOKEN_INVALID' });
    answer('refreshToken', { code: 'TOKEN_INVALID' });
    await client.me().catch(() => undefined);
    const { reload } = window.location;
    let draftAtReload: string | undefined;
    window.location.reload = () => {
      draftAtReload = readDraft('note');
    };
    await press('Use another account');
    await waitFor(() => expect(draftAtReload).to.equal(''));
    window.location.reload = reload;
  });

  it('shows the sign-in when another tab signs out', async () => {
    await renderSignedIn();
    saveDraft('note', 'of the first person');
    await inOtherTab((client) => client.signOut());
    await expectText('signed out: SIGNED_OUT');
    expect(readDraft('note')).to.equal('');
  });

  it('shows nothing of the page when another person signs in in another tab', async () => {
    let timesReloaded = 0;
    const { reload } = window.location;
    window.location.reload = () => {
      timesReloaded += 1;
    };
    await renderSignedIn();
    saveDraft('note', 'of the first person');
    answer('signIn', {
      body: (example: { user: object }) => ({
        ...example,
        user: { ...example.user, id: '9e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69', email: 'bob@example.com' },
      }),
    });
    await inOtherTab((client) => client.signIn(CREDENTIALS));
    await expectNoText(/^page of/);
    await waitFor(() => expect(timesReloaded).to.be.greaterThan(0));
    expect(readDraft('note')).to.equal('');
    window.location.reload = reload;
  });

  it('lets the person sign in again as a proof, or cancel it', async () => {
    await renderSignedIn();
    await press('Prove');
    await expectText('Sign in again to confirm that it is you.');
    await press('Cancel');
    await expectNoText(/to confirm that it is you/);
    await press('Prove');
    await fill({ Password: 'Password123!' });
    await press('Sign in');
    await expectNoText(/to confirm that it is you/);
    await expectText('page of customer@example.com');
  });
});

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { expect } from 'chai';
import { useState } from 'react';
import { answer } from '../testing/contract.ts';
import { expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { press } from '../testing/screen.ts';
import { readDraft, saveDraft } from './drafts.ts';
import { createPageClient } from './platform.ts';

const CREDENTIALS = { email: 'ada@example.com', password: 'Password123!' };
const BOB = { id: '9e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69', email: 'bob@example.com' };

/** Loads data that a screen has shown which is no longer there. */
const Loaded = () => {
  const queries = useQueryClient();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" onClick={() => queries.setQueryData(['me'], 'data of Ada')}>
        Load
      </button>
      <button type="button" onClick={() => setShown(!isShown)}>
        Show
      </button>
      {isShown && <Shown />}
    </>
  );
};

const Shown = () => <p>{useQuery<string>({ queryKey: ['me'], queryFn: skipToken }).data ?? 'nothing'}</p>;

describe('forgetting a person', () => {
  const render = () => renderScreen(<p>page</p>);
  type SignedIn = { user: object; session: object };
  const answerWithNewSession = (user = {}) =>
    answer('signIn', {
      body: (example: SignedIn) => ({
        ...example,
        user: { ...example.user, ...user },
        session: { ...example.session, id: crypto.randomUUID() },
      }),
    });
  const answerBob = () => answerWithNewSession(BOB);
  /** As the browser does, which restores the state that was written. */
  const goBackTo = (state: unknown) => {
    History.prototype.replaceState.call(history, state, '');
    window.dispatchEvent(new PopStateEvent('popstate', { state }));
  };

  it('deletes the loaded data when another user signs in on the same page', async () => {
    const { client } = await renderScreen(<Loaded />);
    await client.signIn(CREDENTIALS);
    await press('Load');
    answerWithNewSession();
    await client.signIn(CREDENTIALS);
    await press('Show');
    await expectText('data of Ada');
    await press('Show');
    answerBob();
    await client.signIn(CREDENTIALS);
    await press('Show');
    await expectText('nothing');
  });

  it('deletes drafts at a sign-in only if they are of another user', async () => {
    const { client } = await render();
    await client.signIn(CREDENTIALS);
    saveDraft('note', 'of Ada');
    answer('me', { code: 'TOKEN_INVALID' });
    answer('refreshToken', { code: 'TOKEN_INVALID' });
    await client.me().catch(() => undefined);
    client.close();
    // The page is loaded again.
    const reloaded = createPageClient('customer');
    await reloaded.signIn(CREDENTIALS);
    expect(readDraft('note'), 'the same user').to.equal('of Ada');
    await reloaded.me().catch(() => undefined);
    reloaded.close();
    answerBob();
    const another = createPageClient('customer');
    await another.signIn(CREDENTIALS);
    expect(readDraft('note')).to.equal('');
    another.close();
  });

  it('deletes drafts when the page finds the session of another user, who signed in elsewhere', async () => {
    const { client } = await render();
    await client.signIn(CREDENTIALS);
    const owner = readDraft('owner.customer');
    answerBob();
    await client.signIn(CREDENTIALS);
    saveDraft('owner.customer', owner);
    saveDraft('note', 'of Ada');
    createPageClient('customer').close();
    expect(readDraft('note')).to.equal('');
  });

  it('empties the history entries of who has signed out, and no later ones', async () => {
    const { client } = await render();
    await client.signIn(CREDENTIALS);
    history.replaceState({ search: 'Lovelace' }, '');
    const earlier: unknown = history.state;
    await client.signOut();
    history.pushState({ search: 'Hopper' }, '');
    const later: unknown = history.state;
    goBackTo(earlier);
    expect(history.state).to.equal(null);
    goBackTo(later);
    expect(history.state).to.deep.include({ search: 'Hopper' });
  });
});

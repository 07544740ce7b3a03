import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { saveDraft } from '../../session/drafts.ts';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectText } from '../../testing/expectations.ts';
import { findField, user } from '../../testing/screen.ts';
import { readOpened } from '../records/recent.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { Search } from './search.tsx';

const ID = '018f4f3a-0000-7000-8000-000000000001';
const COMMANDS = [
  { kind: 'command' as const, href: '/teams', name: 'Go to Teams' },
  { kind: 'command' as const, href: '/mails', name: 'Go to Mails' },
];

describe('search for everything', () => {
  let timesClosed = 0;
  const open = async () => {
    timesClosed = 0;
    await renderConsole(
      <Search
        commands={COMMANDS}
        onClose={() => {
          timesClosed += 1;
        }}
      />,
    );
  };
  const nothing = { body: (page: object) => ({ ...page, data: [], total: 0 }) };
  const answerNothing = () => {
    answer('listProjects', nothing);
    answer('listContactRequests', nothing);
    answer('listTeams', {
      body: (page: { meta: object }) => ({ data: [], meta: { ...page.meta, total: 0 } }),
    });
  };
  const type = async (text: string) => user.type(await findField('Search everything'), text);
  const chosen = () => document.querySelector('[role=option][aria-selected=true]')?.textContent;
  const answerPeople = (after?: Promise<void>) =>
    answer('listUsers', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: [{ ...page.data[0], id: ID, name: 'Mila Novak', email: 'mila@example.com' }],
      }),
      ...(after && { after }),
    });

  it('has the commands before anything is typed, and asks for nothing', async () => {
    await open();
    await expectText('Go to Teams');
    await user.keyboard('{ArrowDown}');
    expect(listSent('listUsers')).to.have.length(0);
    expect(chosen()).to.equal('Go to Teams');
  });

  it('opens the first hit by Enter once the answer is there, and remembers it for this tab', async () => {
    answerNothing();
    const loading = Promise.withResolvers<void>();
    answerPeople(loading.promise);
    await open();
    await type('mila');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(listSent('listUsers')).to.have.length(1));
    expect(timesClosed).to.equal(0);
    loading.resolve();
    await waitFor(() => expect(window.location.pathname).to.equal(`/console/users/${ID}`));
    expect(timesClosed).to.equal(1);
    expect(readOpened()).to.deep.include({
      href: `/users/${ID}`,
      kind: 'person',
      name: 'Mila Novak',
      detail: 'mila@example.com',
    });
  });

  it('opens a request in the list of what was searched, which is marked there', async () => {
    answer('listUsers', nothing);
    answerNothing();
    answer('listContactRequests', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: [{ ...page.data[0], id: ID, doneAt: '2026-11-24T10:00:00.000Z' }],
      }),
    });
    await open();
    await type('app');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.search).to.equal(`?request=${ID}&view=done`));
    expect(history.state).to.deep.include({ search: 'app' });
  });

  it('moves through all groups with the arrows, and marks what matches', async () => {
    answerNothing();
    answerPeople();
    await open();
    await type('mil');
    await waitFor(() => expect(document.querySelector('mark')).not.to.equal(null));
    expect(document.querySelector('mark')?.textContent).to.equal('Mil');
    await expectAnnouncement('1 result', 'status');
    expect((await findField('Search everything')).getAttribute('aria-activedescendant')).to.equal(
      'search-hit-0',
    );
  });

  it('opens an id directly, whatever has it', async () => {
    answer('getUser', { code: 'USER_NOT_FOUND' });
    answer('getProject', { code: 'PROJECT_NOT_FOUND' });
    await open();
    await type(ID);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).to.equal(`/console/teams/${ID}`));
    expect(listSent('listUsers')).to.have.length(0);
  });

  it('has only commands after >', async () => {
    await open();
    await type('>mail');
    expect(chosen()).to.equal('Go to Mails');
    await user.keyboard('{Enter}');
    expect(window.location.pathname).to.equal('/console/mails');
    expect(readOpened()).to.deep.equal([]);
  });

  it('shows what was opened before, and ignores what an earlier release has stored', async () => {
    const hit = { href: '/mails', kind: 'mail', name: 'A mail' };
    for (const stored of [{}, [null, hit], 'text']) {
      saveDraft('search.opened', JSON.stringify(stored));
      expect(readOpened()).to.deep.equal([]);
    }
    saveDraft('search.opened', JSON.stringify([hit, { ...hit, kind: 'team', name: 'Team Blue' }]));
    await open();
    await expectText('Team Blue');
  });

  it('says that nothing was found', async () => {
    answerNothing();
    answer('listUsers', nothing);
    await open();
    await type('zzzz');
    await expectAnnouncement('Nothing found', 'status');
  });
});

import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { Route } from 'wouter';
import { answer, answerSignedIn, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { collectSaved } from '../../testing/saved-files.ts';
import { press, pressInMenu, user } from '../../testing/screen.ts';
import { noteOpened, readOpened } from '../records/recent.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { ID, openUser } from '../testing/render-user.tsx';
import { rows } from '../testing/rows.ts';
import { UserPage } from './user-page.tsx';

const OTHER = '018f4f3a-0000-7000-8000-000000000002';
const AT = '2026-11-20T09:30:00.000Z';

describe('page of a person', () => {
  const open = (changes: object = {}) =>
    openUser({ block: null, pauses: [], passkeys: [], identities: [], ...changes });

  it('has the name that the search has shown, and its headings, before they are loaded', async () => {
    const { promise: asked, resolve: goOn } = Promise.withResolvers<void>();
    noteOpened({ href: `/users/${ID}`, kind: 'person', name: 'Mila N.' });
    answer('getUser', { after: asked });
    await renderConsole(<Route path="/users/:id" component={UserPage} />, `/users/${ID}`);
    await waitFor(() => expect(document.querySelector('h1')?.textContent).to.equal('Mila N.'));
    const headings = [...document.querySelectorAll('h2')].map(({ textContent }) => textContent);
    expect(headings).to.deep.equal(['Sign-in methods', 'Devices', 'Projects', 'Notes', 'Timeline']);
    await expectAnnouncement('Loading', 'status');
    goOn();
    await expectNoText('Mila N.');
  });

  it('says who blocked them, when and why, with the way back', async () => {
    const block = {
      at: AT,
      by: { id: OTHER, email: 'jonas@example.com', name: 'Jonas Weber' },
      note: 'Spam.',
    };
    await open({ isBlocked: true, blockedAt: AT, block });
    await expectAnnouncement(/Blocked by Jonas Weber/);
    await expectText('Spam.');
    await press('Unblock …');
    await press('Unblock user');
    await expectAnnouncement('Mila Novak is unblocked.', 'status');
    await press('Undo');
    await expectNoText('Undo');
    expect(listSent('addUserNote').map(({ body }) => body)).to.deep.equal([{ text: 'Spam.' }]);
  });

  it('says that a deleted colleague blocked them', async () => {
    const block = { at: AT, by: { id: OTHER, email: null, name: null }, note: null };
    await open({ isBlocked: true, blockedAt: AT, block });
    await expectText('Blocked by a deleted user');
  });

  it('marks the session of the reader, which does not end by mistake', async () => {
    const { client } = await open();
    const ownSession = client.getSnapshot().session?.id;
    answer('listSessionsOfUser', rows([{ id: ownSession }, { id: OTHER }]));
    await press('End all …');
    await press('End all sessions');
    await expectText('This device');
    expect(document.querySelectorAll('button[aria-label^="End …"]')).to.have.length(1);
  });

  it('has a head with state, roles and what is copied, and the actions in one menu', async () => {
    await open({
      roles: ['CUSTOMER', 'EMPLOYEE'],
      secondFactors: { totp: true, passkeys: 0, recoveryCodesLeft: 1, isRequired: true },
    });
    for (const text of ['MN', 'Active', 'Customer', 'Employee', 'mila@example.com', 'Mails in English'])
      await expectText(text);
    await press('Actions');
    const items = document.querySelectorAll('[role=menuitem]');
    expect([...items].map(({ textContent }) => textContent)).to.deep.equal([
      'Send a reset mail',
      'Remove app, passkeys and codes …',
      'End all sessions …',
      'Give a role …',
      'Copy the link to this page',
      'Open in the audit log',
      'Export the data',
      'Block …',
      'Delete the account …',
    ]);
    await user.keyboard('{Escape}');
    expect(document.querySelector('[role=menu]')).to.equal(null);
    answer('sendResetMail', { code: 'INTERNAL_ERROR' });
    await pressInMenu('Actions', 'Send a reset mail');
    await expectAnnouncement('The service could not do this.');
    await user.keyboard('n');
    await expectText(/Add a note about Mila Novak/);
  });

  it('offers the reader no reset mail', async () => {
    answerSignedIn({ id: ID });
    await open();
    await press('Actions');
    await expectText('End all sessions …');
    await expectNoText('Send a reset mail');
  });

  it('has four facts, of which few recovery codes are a warning', async () => {
    await open({
      hasPassword: true,
      isBlocked: true,
      lastSignInAt: null,
      secondFactors: { totp: true, passkeys: 0, recoveryCodesLeft: 1, isRequired: true },
      identities: [{ id: OTHER, provider: 'company', email: null, linkedAt: AT, lastUsedAt: null }],
      projects: [{ id: OTHER, title: 'Bakery', status: 'IN_PROGRESS', category: 'WEB', createdAt: AT }],
    });
    await expectText('None works while blocked');
    await expectText(/ and Company$/);
    const facts = [...document.querySelectorAll('.strip > div')].map(({ children }) =>
      [...children].map(({ textContent }) => textContent),
    );
    expect(facts).to.deep.equal([
      ['Last sign-in', 'never'],
      ['Sign-in methods', 'Password, Authenticator app and Company', '1 recovery code left'],
      ['Devices', '1', 'None works while blocked'],
      ['Projects', '1', '1 in progress'],
    ]);
    expect(document.querySelector('.strip-warning')?.textContent).to.equal('1 recovery code left');
  });

  it('has the requests of the person with their state, and the way to each', async () => {
    answer(
      'listContactRequests',
      rows([{ id: OTHER, subject: 'Refund', doneAt: null, assignee: null }], { total: 7 }),
    );
    await open();
    await expectText('Refund');
    await expectText('New');
    const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Refund');
    expect(link?.getAttribute('href')).to.equal(`/console/contact-requests?request=${OTHER}`);
    const [sent] = listSent('listContactRequests');
    expect(sent?.query.get('userId')).to.equal(ID);
  });

  it('saves the data of the person as a file, and says so when it fails', async () => {
    await open();
    answer('exportUser', { code: 'INTERNAL_ERROR' });
    await pressInMenu('Actions', 'Export the data');
    await expectAnnouncement('The service could not do this.');
    let requests = 0;
    // This person has more records than one request returns.
    answer('exportUser', {
      body: (data: object) => {
        requests += 1;
        return { ...data, nextAuditCursor: requests === 1 ? 'next' : null };
      },
    });
    await collectSaved(async (saved) => {
      await pressInMenu('Actions', 'Export the data');
      await expectAnnouncement('The data is saved as a file.', 'status');
      const [file] = saved;
      expect([file?.name, file?.type]).to.deep.equal([
        `${ID} ${new Date().toISOString().slice(0, 10)}.json`,
        'application/json;charset=utf-8',
      ]);
      expect(listSent('exportUser').at(-1)?.query.get('auditCursor')).to.equal('next');
      const { auditRecords, nextAuditCursor } = JSON.parse((await file?.text()) ?? '');
      expect(new Set(auditRecords.map(({ id }: { id: string }) => id))).to.have.length(1);
      expect(auditRecords).to.have.length(2);
      expect(nextAuditCursor).to.equal(null);
    });
  });

  it('is remembered by the search for everything, however it was opened', async () => {
    await open();
    await waitFor(() =>
      expect(readOpened()).to.deep.equal([
        { href: `/users/${ID}`, kind: 'person', name: 'Mila Novak', detail: 'mila@example.com' },
      ]),
    );
  });

  it('is one of the eight that the search remembers', () => {
    for (let index = 0; index < 9; index += 1)
      noteOpened({ href: `/users/${index}`, kind: 'person', name: `Person ${index}` });
    expect(readOpened().map(({ href }) => href.at(-1))).to.deep.equal([...'87654321']);
  });

  it('does not show a block that has ended', async () => {
    await open({ block: { at: AT, by: { id: OTHER, email: null, name: null }, note: 'Spam.' } });
    await expectNoText('Blocked by');
  });

  it('says why they are paused, and lifts the pause', async () => {
    await open({ pauses: [{ secret: 'email-code', until: AT }] });
    await expectText(/after many wrong codes/);
    await press('Lift the pause');
    await expectAnnouncement('The pause is lifted.', 'status');
    expect(listSent('endPauseOfUser').map(({ path }) => path)).to.deep.equal([
      `/api/v1/users/${ID}/pauses/email-code`,
    ]);
  });

  it('shows a pause of a secret that only a later release knows', async () => {
    answer('getUser', {
      isOfLaterRelease: true,
      body: (user: object) => ({ ...user, pauses: [{ secret: 'planted', until: AT }] }),
    });
    await renderConsole(<Route path="/users/:id" component={UserPage} />, `/users/${ID}`);
    await expectText(/planted/);
  });

  it('sends the codes to reset the password and to verify the address', async () => {
    await open({ isEmailVerified: false });
    await press('Send a reset mail');
    await expectAnnouncement('A mail with a code is on its way to mila@example.com.', 'status');
    await press('Send the mail again');
    await waitFor(() => expect(listSent('sendVerificationMail')).to.have.length(1));
    expect(listSent('sendResetMail')).to.have.length(1);
  });

  it('removes one factor or provider, each beside it', async () => {
    await open({
      secondFactors: { totp: true, passkeys: 1, recoveryCodesLeft: 1, isRequired: true },
      passkeys: [{ id: OTHER, name: 'Phone', createdAt: AT, lastUsedAt: null }],
      identities: [{ id: OTHER, provider: 'company', email: null, linkedAt: AT, lastUsedAt: null }],
    });
    await press('Remove … Authenticator app');
    await press('Remove app');
    await expectAnnouncement('The authenticator app of Mila Novak is removed.', 'status');
    await press('Remove … Phone');
    await press('Remove passkey');
    await expectAnnouncement('The passkey “Phone” is removed.', 'status');
    await press('Disconnect … Company');
    await press('Disconnect');
    await expectAnnouncement('Company is disconnected.', 'status');
    for (const operation of ['removeTotpOfUser', 'removePasskeyOfUser', 'unlinkIdentityOfUser'] as const)
      expect(listSent(operation)).to.have.length(1);
  });

  it('names a provider as the sign-in page of the person does, also in the timeline', async () => {
    answer('signInMethods', {
      body: (methods: object) => ({ ...methods, providers: [{ id: 'company', name: 'Bakery & Sons' }] }),
    });
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        nextCursor: null,
        data: page.data.slice(0, 1).map((record) => ({
          ...record,
          action: 'IDENTITY_LINKED',
          actorId: ID,
          targetType: 'USER',
          targetId: ID,
          details: { provider: 'company' },
        })),
      }),
    });
    await open({
      identities: [{ id: OTHER, provider: 'company', email: null, linkedAt: AT, lastUsedAt: null }],
    });
    await expectText('Connected Bakery & Sons');
    await press('Disconnect … Bakery & Sons');
    await expectText('Disconnect Bakery & Sons from Mila Novak?');
  });

  it('has the notes of colleagues, each below the avatar and name of who wrote it', async () => {
    answer(
      'listUserNotes',
      rows([
        { text: 'Call back', author: { id: OTHER, email: null, name: 'Jonas Weber' } },
        { id: OTHER, author: { id: OTHER, email: null, name: null } },
      ]),
    );
    await open();
    await expectText('Call back');
    const heads = [...document.querySelectorAll('.user-note-head')];
    expect(heads.map(({ firstChild }) => firstChild?.textContent)).to.deep.equal(['JW', 'AU']);
    await expectText('Jonas Weber');
    await expectText('A deleted user');
  });

  it('shows repeats as one entry of the timeline, and one kind of entry at a time', async () => {
    const failed = (second: number) => ({
      id: `018f4f3a-0000-7000-8000-00000000010${second}`,
      action: 'SIGN_IN_FAILED',
      actorId: null,
      targetType: 'USER',
      targetId: ID,
      details: { reason: 'WRONG_PASSWORD', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0' },
      address: '203.0.113.7',
      createdAt: `2026-11-20T09:30:0${second}.000Z`,
    });
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: [3, 2, 1].map((second) => ({ ...page.data[0], user: null, ...failed(second) })),
      }),
    });
    answer('listMailsOfUser', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: [
          {
            id: OTHER,
            mail: 'password-changed',
            service: null,
            recipient: 'mila@example.com',
            state: 'failed',
            at: AT,
            failure: '550 unknown',
          },
        ],
      }),
    });
    await open();
    await expectText('× 3');
    await expectText(/Firefox on Windows, 203\.0\.113\.7/);
    await expectText('550 unknown');
    const days = [...document.querySelectorAll('h3.user-timeline-day')].map(({ textContent }) => textContent);
    expect(days).to.have.length(1);
    expect(days[0]).to.match(/20 November 2026/);
    expect(
      document.querySelectorAll('.user-timeline .user-disc-warn, .user-timeline .user-disc-bad'),
    ).to.have.length(2);
    await press('Sign-ins');
    await expectNoText('550 unknown');
    await press('Mails');
    await expectText('550 unknown');
    await expectNoText('× 3');
  });

  it('asks for each kind of entry in the timeline, so that failed sign-ins push out no changes', async () => {
    await open();
    const sent = () =>
      listSent('listAuditLog').map(({ query }) => [
        query.getAll('action').join(' '),
        query.get('hideSignIns'),
      ]);
    await press('Changes');
    await waitFor(() =>
      expect(sent()).to.deep.equal([
        ['', null],
        ['', 'true'],
      ]),
    );
    await press('Sign-ins');
    await waitFor(() => expect(sent().at(-1)).to.deep.equal(['SIGNED_IN SIGN_IN_FAILED', null]));
  });

  it('loads older entries of the timeline page by page, and leaves no gap between records and mails', async () => {
    const answerPages = (hour: string, nextCursor: string | null) => {
      answer('listAuditLog', {
        body: (page: { data: object[] }) => ({
          nextCursor,
          data: page.data.slice(0, 1).map((record) => ({
            ...record,
            id: `018f4f3a-0000-7000-8000-0000000001${hour}`,
            action: 'USER_NOTE_ADDED',
            actorName: `Colleague ${hour}`,
            user: null,
            targetType: 'USER',
            targetId: ID,
            createdAt: `2026-11-20T${hour}:00:00.000Z`,
          })),
        }),
      });
    };
    answer('listMailsOfUser', {
      body: (page: { data: object[] }) => ({
        ...page,
        total: 1,
        data: page.data.slice(0, 1).map((mail) => ({ ...mail, recipient: 'mila@old.example', at: AT })),
      }),
    });
    answerPages('11', 'older');
    await open();
    await expectText('Colleague 11');
    await expectNoText(/mila@old\.example/);
    answerPages('10', 'oldest');
    await press('Show older');
    await expectText('Colleague 10');
    expect(listSent('listAuditLog').at(-1)?.query.get('cursor')).to.equal('older');
    await expectNoText(/mila@old\.example/);
    answerPages('08', null);
    await press('Show older');
    await expectText(/mila@old\.example/);
    await expectNoText('Show older');
    expect(listSent('listMailsOfUser')).to.have.length(1);
  });
});

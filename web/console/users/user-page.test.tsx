import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { press, pressInMenu, user } from '../../testing/screen.ts';
import { ID, openUser } from '../testing/render-user.tsx';

const OTHER = '018f4f3a-0000-7000-8000-000000000002';
const AT = '2026-11-20T09:30:00.000Z';

describe('page of a person', () => {
  const open = (changes: object = {}) =>
    openUser({ block: null, pauses: [], passkeys: [], identities: [], ...changes });

  it('says who blocked them, when and why, with the way back', async () => {
    const block = {
      at: AT,
      by: { id: OTHER, email: 'jonas@example.com', name: 'Jonas Weber' },
      note: 'Spam.',
    };
    await open({ isBlocked: true, blockedAt: AT, block });
    await expectText('Blocked by Jonas Weber');
    await expectText('Spam.');
    await press('Unblock …');
    await press('Unblock user');
    await expectAnnouncement('Mila Novak is unblocked.', 'status');
    await press('Undo');
    await expectNoText('Undo');
    expect(listSent('addUserNote').map(({ body }) => body)).to.deep.equal([{ text: 'Spam.' }]);
  });

  it('marks the session of the reader, which does not end by mistake', async () => {
    const { client } = await open();
    const ownSession = client.getSnapshot().session?.id;
    answer('listSessionsOfUser', {
      body: (page: { data: object[] }) => ({
        data: [
          { ...page.data[0], id: ownSession },
          { ...page.data[0], id: OTHER },
        ],
      }),
    });
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
    const facts = [...document.querySelectorAll('.strip > div')].map(({ children }) =>
      [...children].map(({ textContent }) => textContent),
    );
    expect(facts).to.deep.equal([
      ['Last sign-in', 'never'],
      ['Sign-in methods', 'Password, Authenticator app and company', '1 recovery code left'],
      ['Devices', '1', 'None works while blocked'],
      ['Projects', '1', '1 in progress'],
    ]);
    expect(document.querySelector('.strip .warn-text')?.textContent).to.equal('1 recovery code left');
  });

  it('has the requests of the person with their state, and the way to each', async () => {
    answer('listContactRequests', {
      body: (page: { data: object[] }) => ({
        ...page,
        total: 7,
        data: [{ ...page.data[0], id: OTHER, subject: 'Refund', doneAt: null, assignee: null }],
      }),
    });
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
    answer('exportUser', {});
    const saved: string[] = [];
    const create = URL.createObjectURL;
    const types: string[] = [];
    URL.createObjectURL = (file) => {
      if (file instanceof Blob) types.push(file.type);
      return 'blob:saved';
    };
    const note = (event: Event) => {
      const { target } = event;
      if (!(target instanceof HTMLAnchorElement) || !target.download) return;
      saved.push(target.download);
      // happy-dom would leave the page.
      event.preventDefault();
    };
    document.addEventListener('click', note);
    try {
      await pressInMenu('Actions', 'Export the data');
      await expectAnnouncement('The data is saved as a file.', 'status');
      expect(saved).to.deep.equal([`${ID} ${new Date().toISOString().slice(0, 10)}.json`]);
      expect(types).to.deep.equal(['application/json;charset=utf-8']);
    } finally {
      document.removeEventListener('click', note);
      URL.createObjectURL = create;
    }
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
    await press('Disconnect … company');
    await press('Disconnect');
    await expectAnnouncement('company is disconnected.', 'status');
    for (const operation of ['removeTotpOfUser', 'removePasskeyOfUser', 'unlinkIdentityOfUser'] as const)
      expect(listSent(operation)).to.have.length(1);
  });

  it('has the notes of colleagues, each below the avatar and name of who wrote it', async () => {
    answer('listUserNotes', {
      body: (notes: { data: object[] }) => ({
        data: [
          { ...notes.data[0], text: 'Call back', author: { id: OTHER, email: null, name: 'Jonas Weber' } },
          { ...notes.data[0], id: OTHER, author: { id: OTHER, email: null, name: null } },
        ],
      }),
    });
    await open();
    await expectText('Call back');
    const heads = [...document.querySelectorAll('.note-head')];
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
    const days = [...document.querySelectorAll('h3.timeline-day')].map(({ textContent }) => textContent);
    expect(days).to.have.length(1);
    expect(days[0]).to.match(/20 November 2026/);
    expect(document.querySelectorAll('.timeline .icon-disc-warn, .timeline .icon-disc-bad')).to.have.length(
      2,
    );
    await press('Sign-ins');
    await expectNoText('550 unknown');
    await press('Mails');
    await expectText('550 unknown');
    await expectNoText('× 3');
  });
});

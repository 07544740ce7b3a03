import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { collectSaved } from '../../testing/saved-files.ts';
import { fill, findField, press, pressEscape, pressInMenu, user } from '../../testing/screen.ts';
import { answerUser, openUser as open } from '../testing/render-user.tsx';

describe('dialogs of a user', () => {
  const isOpen = () => document.querySelector('dialog[open]') !== null;

  it('blocks with a note, shows the new state when it says so, and can be undone', async () => {
    await open();
    await pressInMenu('Actions', 'Block …');
    (await findField('Chargeback fraud')).click();
    await fill({ 'Note for colleagues (optional)': 'Third one.' });
    answerUser({ isBlocked: true });
    await press('Block user');
    await expectAnnouncement('Mila Novak is blocked.', 'status');
    await expectText('Unblock …');
    expect(isOpen()).to.equal(false);
    expect(listSent('addUserNote').map(({ body }) => body)).to.deep.equal([
      { text: 'Chargeback fraud. Third one.' },
    ]);
    expect(listSent('endSessionsOfUser')).to.deep.equal([]);
    answerUser();
    await press('Undo');
    await waitFor(() => expect(listSent('unblockUser')).to.have.length(1));
    await expectText('Active');
  });

  it('ends the sessions of an account that was taken over, and does the rest when that failed', async () => {
    await open();
    await pressInMenu('Actions', 'Block …');
    (await findField('Account taken over')).click();
    answer('endSessionsOfUser', { code: 'INTERNAL_ERROR' });
    await press('Block user');
    await expectText(/but the rest was not done/);
    answer('endSessionsOfUser', {});
    answerUser({ isBlocked: true });
    await press('Do the rest');
    await expectAnnouncement('Mila Novak is blocked.', 'status');
    expect(listSent('blockUser')).to.have.length(1);
    expect(listSent('addUserNote').map(({ body }) => body)).to.deep.equal([{ text: 'Account taken over.' }]);
  });

  it('blocks again who was unblocked after the rest had failed', async () => {
    await open();
    await pressInMenu('Actions', 'Block …');
    await fill({ 'Note for colleagues (optional)': 'Third one.' });
    answer('addUserNote', { code: 'INTERNAL_ERROR' });
    answerUser({ isBlocked: true });
    await press('Block user');
    await expectText(/but the rest was not done/);
    await press('Cancel');
    answerUser();
    await press('Unblock …');
    await press('Unblock user');
    await expectAnnouncement('Mila Novak is unblocked.', 'status');
    answer('addUserNote');
    await pressInMenu('Actions', 'Block …');
    await press('Block user');
    await expectAnnouncement('Mila Novak is blocked.', 'status');
    expect(listSent('blockUser')).to.have.length(2);
    expect(listSent('addUserNote').at(-1)?.body).to.deep.equal({ text: 'Third one.' });
  });

  it('sends a note by Ctrl and Enter, and no dialog with a red button', async () => {
    await open();
    await user.keyboard('n');
    await fill({ Note: 'Call back' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    await expectAnnouncement('The note is saved.', 'status');
    expect(listSent('addUserNote').map(({ body }) => body)).to.deep.equal([{ text: 'Call back' }]);
    await pressInMenu('Actions', 'Block …');
    await fill({ 'Note for colleagues (optional)': 'Third one.' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(isOpen()).to.equal(true);
    expect(listSent('blockUser')).to.deep.equal([]);
  });

  it('show the person, so that nobody acts on a namesake', async () => {
    await open();
    await pressInMenu('Actions', 'Block …');
    await waitFor(() =>
      expect(document.querySelector('dialog[open] .user-subject')?.textContent).to.equal(
        'MNMila Novakmila@example.comCustomer',
      ),
    );
  });

  it('names the role that was taken, although the user has none any more', async () => {
    await open({ roles: ['ARBITER', 'CUSTOMER'] });
    await pressInMenu('Actions', 'Take the role …');
    answerUser();
    await press('Take role');
    await expectAnnouncement('Mila Novak no longer has the role Arbiter.', 'status');
  });

  it('leads to the role where an admin cannot be blocked or deleted', async () => {
    await open({ roles: ['ADMIN', 'CUSTOMER'] });
    for (const action of ['Block …', 'Delete the account …']) {
      await pressInMenu('Actions', action);
      await press('Take the role …');
      await expectText('Take the role Admin from Mila Novak?');
      await press('Cancel');
      await waitFor(() => expect(isOpen()).to.equal(false));
    }
  });

  it('says whom no role can be given, and to which domains it can', async () => {
    answer('listInvitations', { body: (page: object) => ({ ...page, allowedDomains: ['market.example'] }) });
    await open();
    await pressInMenu('Actions', 'Give a role …');
    await expectText(/only for addresses of market\.example\./);
  });

  it('has an empty field for the next note', async () => {
    await open();
    await press('Add …');
    await fill({ Note: 'Called on Monday' });
    await press('Add note');
    await expectAnnouncement('The note is saved.', 'status');
    await press('Add …');
    expect((await findField('Note')).value).to.equal('');
  });

  it('offers the data before an account is deleted', async () => {
    await open();
    await pressInMenu('Actions', 'Delete the account …');
    await collectSaved(async (saved) => {
      await press('Download the data first');
      await waitFor(() => expect(saved).to.have.length(1));
    });
    expect(isOpen()).to.equal(true);
    expect(listSent('deleteUser')).to.deep.equal([]);
  });

  it('deletes only when the address was typed', async () => {
    await open();
    await pressInMenu('Actions', 'Delete the account …');
    await press('Delete account');
    await expectText('Fill in this field.');
    expect(listSent('deleteUser')).to.deep.equal([]);
    expect(isOpen()).to.equal(true);
  });

  it('closes by Escape, sends nothing and keeps what was typed', async () => {
    await open();
    await press('Add …');
    await fill({ Note: 'Called on Monday' });
    pressEscape();
    await waitFor(() => expect(isOpen()).to.equal(false));
    await press('Add …');
    await expectText('Called on Monday');
    expect(listSent('addUserNote')).to.deep.equal([]);
  });

  it('stays open with the error of the API', async () => {
    await open();
    await pressInMenu('Actions', 'Block …');
    answer('blockUser', { code: 'INTERNAL_ERROR' });
    await press('Block user');
    await expectAnnouncement('The service could not do this.');
    expect(isOpen()).to.equal(true);
    await expectNoText('Mila Novak is blocked.');
  });
});

import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { idOf, rows } from '../testing/rows.ts';
import { MailList } from './mail-list.tsx';

const WAITING = { state: 'waiting', attempts: 0, cause: null, failure: null, nextAttemptAt: null };
describe('mails', () => {
  const open = async () => {
    const failed = { mail: 'invitation', state: 'failed' };
    answer(
      'listMails',
      rows([1, 2, 3].map((number) => ({ id: idOf(number), recipient: `${number}…@example.com`, ...failed }))),
    );
    await renderConsole(<MailList />, '/mails');
    await expectText('3…@example.com');
  };

  const answerUnsent = (changes: object[]) =>
    answer(
      'listMails',
      rows(changes.map((change) => ({ mail: 'invitation', recipient: '1…@example.com', ...change }))),
    );

  it('say when they are sent, or why they could not be', async () => {
    await open();
    const unsent = { ...WAITING, id: idOf(1) };
    answerUnsent([unsent]);
    await press('Send now: Invitation, 1…@example.com');
    await expectAnnouncement('The mail is being sent.', 'status');
    answerUnsent([{ ...unsent, attempts: 1, cause: 'busy', failure: '451 Try again later' }]);
    await expectAnnouncement('The mail could not be sent: Server busy.', 'status');
    await press('Send now: Invitation, 1…@example.com');
    await expectAnnouncement('The mail is being sent.', 'status');
    answerUnsent([]);
    await expectAnnouncement('The mail is sent.', 'status');
  });

  it('are deleted after a question, and leave the list', async () => {
    await open();
    await press('Delete … Invitation, 1…@example.com');
    await expectText('Delete “Invitation” to 1…@example.com?');
    answerUnsent([{ id: idOf(2), recipient: '2…@example.com' }]);
    await press('Delete mail');
    await expectAnnouncement('The mail is deleted.', 'status');
    await expectNoText('1…@example.com');
    expect(listSent('deleteMail').map(({ path }) => path.split('/').at(-1))).to.deep.equal([idOf(1)]);
  });

  it('are sent again together, and say which could not be', async () => {
    await open();
    await user.click(await findField('Select Invitation, 1…@example.com'));
    await user.click(await findField('Select Invitation, 3…@example.com'));
    answer('retryMail', { code: 'SERVICE_UNAVAILABLE' });
    await press('Send now …');
    await press('Send now');
    await expectText('2 of 2 did not work');
    await expectText('Invitation, 3…@example.com');
    answer('retryMail');
    answerUnsent([1, 3].map((number) => ({ ...WAITING, id: idOf(number) })));
    await press('Try 2 again');
    await expectAnnouncement('2 mails are being sent.', 'status');
    await expectNoText('2 selected');
    answerUnsent([{ id: idOf(3), state: 'failed', attempts: 1, cause: 'mailbox-full' }]);
    await expectAnnouncement('The mail is sent. The mail could not be sent: Mailbox full.', 'status');
    expect(listSent('retryMail').map(({ path }) => path.split('/').at(-2))).to.deep.equal(
      [1, 3, 1, 3].map(idOf),
    );
  });
});

import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { MailList } from './mail-list.tsx';

const idOf = (number: number) => `018f4f3a-0000-7000-8000-00000000000${number}`;

describe('mails', () => {
  const open = async () => {
    answer('listMails', {
      body: (page: { data: object[] }) => ({
        ...page,
        total: 3,
        data: [1, 2, 3].map((number) => ({
          ...page.data[0],
          id: idOf(number),
          mail: 'invitation',
          recipient: `${number}…@example.com`,
          state: 'failed',
        })),
      }),
    });
    await renderConsole(<MailList />, '/mails');
    await expectText('3…@example.com');
  };

  it('are sent again together, and say which could not be', async () => {
    await open();
    await user.click(await findField('Select Invitation, 1…@example.com'));
    await user.click(await findField('Select Invitation, 3…@example.com'));
    answer('retryMail', { code: 'MAIL_EXPIRED' });
    await press('Send now …');
    await press('Send now');
    await expectText('2 of 2 did not work');
    await expectText('Invitation, 3…@example.com');
    answer('retryMail');
    await press('Try 2 again');
    await expectAnnouncement('2 mails are being sent.', 'status');
    await expectNoText('2 selected');
    expect(listSent('retryMail').map(({ path }) => path.split('/').at(-2))).to.deep.equal(
      [1, 3, 1, 3].map(idOf),
    );
  });
});

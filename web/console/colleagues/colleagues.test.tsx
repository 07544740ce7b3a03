import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { navigate } from 'wouter/use-browser-location';
import { answer, bodiesOf, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { fill, findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { idOf, rows } from '../testing/rows.ts';
import { Colleagues } from './colleagues.tsx';

describe('colleagues', () => {
  const open = (path = '/colleagues') => renderConsole(<Colleagues />, path);
  const states = () => [...document.querySelectorAll('tbody .state')].map(({ className }) => className);

  it('are all with a platform role, and an ADMIN without a second step stands out', async () => {
    answer('listUsers', {
      ...rows([
        { id: idOf(0), roles: ['ADMIN'], hasSecondStep: true },
        { id: idOf(1), roles: ['ADMIN', 'CUSTOMER'], hasSecondStep: false },
        { id: idOf(2), roles: ['OPERATOR'], hasSecondStep: false },
      ]),
    });
    await open();
    await waitFor(() =>
      expect(states()).to.deep.equal(['state state-ok', 'state state-bad', 'state state-off']),
    );
    expect(Object.fromEntries(listSent('listUsers')[0]?.query ?? [])).to.include({ hasPlatformRole: 'true' });
    expect(document.querySelector('tbody')?.textContent, 'other roles say nothing here').not.to.include(
      'Customer',
    );
  });

  it('are invited in a dialog, which leads to the account that has the address already', async () => {
    answer('invite', { code: 'EMAIL_TAKEN' });
    await open('/colleagues?invite=true');
    await fill({ Email: 'bob@example.com' });
    await press('Send invitation');
    await press(/^Open the account/);
    expect(window.location.pathname).to.equal('/console/users');
    expect(history.state).to.deep.include({ search: 'bob@example.com' });
  });

  it('leads to the account of a taken address itself where it is found, and says whose addresses may be invited', async () => {
    answer('invite', { code: 'EMAIL_TAKEN' });
    const found = { id: '018f4f3a-0000-7000-8000-000000000007', email: 'bob@example.com' };
    answer('listUsers', rows([found]));
    answer('listInvitations', {
      body: (page: object) => ({ ...page, allowedDomains: ['a.example', 'b.example'] }),
    });
    await open('/colleagues?invite=true');
    await expectText('Only addresses of a.example and b.example.');
    await fill({ Email: 'Bob@example.com' });
    await press('Send invitation');
    await press(/^Open the account/);
    await waitFor(() => expect(window.location.pathname).to.equal(`/console/users/${found.id}`));
  });

  it('open the dialog at each command of the search, also on this screen', async () => {
    await open();
    for (const _time of [1, 2]) {
      navigate('/console/colleagues?invite=true');
      await findField('Email');
      expect(window.location.search).to.equal('');
      expect(history.state).to.deep.include({ dialogs: 1 });
      await press('Cancel');
      await waitFor(() => expect(document.querySelector('dialog[open]')).to.equal(null));
    }
  });

  it('are invited again with the same role, in the language of the first mail', async () => {
    answer('listInvitations', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: page.data.slice(0, 1).map((invitation) => ({
          ...invitation,
          email: 'bob@example.com',
          role: 'ARBITER',
          language: 'de',
        })),
      }),
    });
    await open();
    await press('Send again … bob@example.com');
    await press('Send invitation');
    await expectAnnouncement('The invitation for bob@example.com is sent again.', 'status');
    expect(bodiesOf('invite')).to.deep.equal([{ email: 'bob@example.com', role: 'ARBITER', language: 'de' }]);
  });

  it('are no longer invited once the invitation is withdrawn', async () => {
    const answerInvitations = (...emails: string[]) =>
      answer('listInvitations', rows(emails.map((email) => ({ email }))));
    answerInvitations('bob@example.com');
    await open();
    await press('Withdraw … bob@example.com');
    answerInvitations();
    await press('Withdraw invitation');
    await expectAnnouncement('The invitation for bob@example.com is withdrawn.', 'status');
    expect(listSent('withdrawInvitation')).to.have.length(1);
    await expectNoText('bob@example.com');
  });

  it('says that somebody is invited, with the role and the language of the mail', async () => {
    await open();
    await press('Invite a colleague');
    await fill({ Email: 'bob@example.com' });
    await user.selectOptions(await findField('Language of the mail'), 'de');
    await user.selectOptions(await findField('Role'), 'ADMIN');
    await press('Send invitation');
    await expectAnnouncement('bob@example.com is invited.', 'status');
    expect(bodiesOf('invite')).to.deep.equal([{ email: 'bob@example.com', role: 'ADMIN', language: 'de' }]);
    await expectText('Invitations that wait');
  });
});

import { fireEvent, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { collectSaved } from '../../testing/saved-files.ts';
import { fill, findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { idOf } from '../testing/rows.ts';
import { ACTION_GROUPS } from './action-groups.ts';
import { AuditLog } from './audit-log.tsx';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe('audit log page', () => {
  const open = (query = '') => renderConsole(<AuditLog />, `/audit-log${query}`);
  const toRecord = (record: object, number: number, changes: object = {}) => ({
    ...record,
    id: idOf(number),
    action: 'SIGN_IN_FAILED',
    actorId: null,
    actorEmail: null,
    actorName: null,
    targetType: 'USER',
    targetName: HOSTILE,
    details: { reason: 'WRONG_PASSWORD' },
    address: `203.0.113.${number}`,
    createdAt: `2026-11-20T10:0${number}:00.000Z`,
    ...changes,
  });
  const answerLog = () =>
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        data: [3, 2, 1].map((number) => toRecord(page.data[0] ?? {}, number)),
        nextCursor: null,
      }),
    });

  it('groups repeats, which can be shown one by one, and shows names as text', async () => {
    answerLog();
    await open();
    await expectText(/\(3 times\)/);
    await expectText('3 addresses');
    await expectText(HOSTILE);
    await user.click(await findField('Group repeats'));
    await expectText('203.0.113.2');
    expect(document.querySelectorAll('[data-row]').length).to.equal(3);
  });

  it('leaves sign-ins out until they or a person are asked for, and can hide those of a person', async () => {
    answerLog();
    answer('listUsers', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: [{ ...page.data[0], id: idOf(5), name: 'Mila Novak', email: 'mila@example.com' }],
      }),
    });
    const shown = () => listSent('listAuditLog').filter(({ query }) => !query.has('action'));
    await open();
    await expectText(/\(3 times\)/);
    expect(shown().at(-1)?.query.get('hideSignIns')).to.equal('true');
    await user.click(await findField('Show sign-ins'));
    await expectText(/\(3 times\)/);
    expect(shown().at(-1)?.query.has('hideSignIns')).to.equal(false);
    await user.click(await findField('Show sign-ins'));
    await waitFor(() => expect(window.location.search).to.equal(''));
    await press('Who: anybody');
    await press(/^Mila Novak/);
    await expectText(/\(3 times\)/);
    const [query] = shown().slice(-1);
    expect(query?.query.get('userId')).to.equal(idOf(5));
    expect(query?.query.has('hideSignIns')).to.equal(false);
    await user.click(await findField('Show sign-ins'));
    await waitFor(() => expect(window.location.search).to.include('signIns=hidden'));
    expect(shown().at(-1)?.query.get('hideSignIns')).to.equal('true');
  });

  it('says how many sign-ins are left out, in the question before the export too', async () => {
    answerLog();
    await open('?from=2026-11-20&to=2026-11-20');
    await expectText(/3 sign-ins are left out\./);
    const counted = listSent('listAuditLog').find(({ query }) => query.has('action'))?.query;
    expect(counted?.getAll('action')).to.deep.equal(['SIGNED_IN', 'SIGN_IN_FAILED']);
    expect(counted?.get('from')).to.equal(new Date(2026, 10, 20).toISOString());
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('/', '-');
    await collectSaved(async (saved) => {
      await press('Export CSV …');
      await expectText(/3 sign-ins are left out\./);
      await expectText(`audit-log 2026-11-20 no-sign-ins ${zone}.csv`);
      await press('Include them');
      await press('Export CSV');
      await expectAnnouncement('3 records are exported.', 'status');
      const exported = listSent('listAuditLog').at(-1)?.query;
      expect(exported?.has('hideSignIns')).to.equal(false);
      expect(exported?.get('from')).to.equal(new Date(2026, 10, 20).toISOString());
      expect(saved.map(({ name }) => name)).to.deep.equal([`audit-log 2026-11-20 ${zone}.csv`]);
      expect(await saved[0]?.text()).to.include(`"A sign-in as ${HOSTILE} failed: wrong password"`);
    });
    await press('Include them');
    await waitFor(() => expect(window.location.search).to.include('signIns=shown'));
    await expectNoText(/left out/);
  });

  it('takes the person of the text that was typed, once the answer is there', async () => {
    answerLog();
    const answerPerson = (number: number, name: string, after?: Promise<void>) =>
      answer('listUsers', {
        body: (page: { data: object[] }) => ({
          ...page,
          data: [{ ...page.data[0], id: idOf(number), name }],
        }),
        ...(after && { after }),
      });
    answerPerson(5, 'Mila Novak');
    await open();
    await press('Who: anybody');
    await fill({ 'Name or address': 'mila' });
    await expectText('Mila Novak');
    const loading = Promise.withResolvers<void>();
    answerPerson(6, 'Milan Kos', loading.promise);
    await user.keyboard('n{Enter}');
    await waitFor(() => expect(listSent('listUsers').at(-1)?.query.get('q')).to.equal('milan'));
    expect(window.location.search).to.equal('');
    loading.resolve();
    await waitFor(() => expect(window.location.search).to.equal(`?userId=${idOf(6)}`));
  });

  it('shows several groups of actions at once, and single actions by name', async () => {
    answerLog();
    await open();
    await press('What: everything');
    await user.click(await findField('Projects'));
    await user.click(await findField('Teams'));
    await fill({ 'Find an action': 'blocked' });
    await user.click(await findField('User blocked'));
    await press('Show');
    await waitFor(() => expect(window.location.search).to.equal('?action=projects.teams.USER_BLOCKED'));
    const sent = listSent('listAuditLog').at(-1)?.query.getAll('action');
    expect(sent).to.have.members([...ACTION_GROUPS.projects, ...ACTION_GROUPS.teams, 'USER_BLOCKED']);
    await press('What: Projects, Teams, User blocked');
    await press('Clear');
    await press('Show');
    await waitFor(() => expect(window.location.search).to.equal(''));
  });

  it('says that the platform takes at most 50 actions at once', async () => {
    answerLog();
    await open();
    await press('What: everything');
    for (const box of document.querySelectorAll('.log-what-choices input')) await user.click(box);
    await expectText(/At most 50 actions/);
    await press('Show');
    expect(window.location.search).to.equal('');
  });

  it('says who did it, with the address, the roles and the ways to them', async () => {
    answer('getUser', {
      body: (person: object) => ({ ...person, id: idOf(5), email: 'mila@example.com', roles: ['ADMIN'] }),
    });
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        data: [
          toRecord(page.data[0] ?? {}, 1, {
            action: 'USER_BLOCKED',
            actorId: idOf(5),
            actorName: 'Mila Novak',
            actorEmail: 'mila@example.net',
            targetId: idOf(6),
          }),
        ],
        nextCursor: null,
      }),
    });
    await open(`?from=2026-11-02&actorId=${idOf(5)}`);
    await press(/^Mila Novak/);
    await expectText('mila@example.com');
    await expectText('Admin');
    const [account] = document.querySelectorAll('.popover a');
    expect(account?.getAttribute('href')).to.equal(`/console/users/${idOf(5)}`);
    await press('Only their records');
    await waitFor(() => expect(window.location.search).to.equal(`?from=2026-11-02&userId=${idOf(5)}`));
    expect(document.querySelector('.popover')).to.equal(null);
  });

  it('has two days for what no period covers, until they are cleared', async () => {
    answerLog();
    await open('?from=2026-11-02');
    await expectText(/\(3 times\)/);
    await press(/^2 Nov/);
    expect((await findField('From')).value).to.equal('2026-11-02');
    await press('Clear');
    await waitFor(() => expect(window.location.search).to.equal(''));
    expect(document.querySelector('input[type=date]')).to.equal(null);
    await press('Dates …');
    await findField('To');
  });

  it('is that of everybody again by the cross of the person', async () => {
    answerLog();
    await open(`?userId=${idOf(5)}`);
    await press('Remove filter Who');
    await waitFor(() => expect(window.location.search).to.equal(''));
  });

  it('ends on the day that is chosen', async () => {
    answerLog();
    await open('?from=2026-11-02');
    await press(/^2 Nov/);
    fireEvent.change(await findField('To'), { target: { value: '2026-11-05' } });
    await waitFor(() => expect(window.location.search).to.equal('?from=2026-11-02&to=2026-11-05'));
  });

  it('shows the record of a link, with its changes and the exact time', async () => {
    answerLog();
    answer('getAuditRecord', {
      body: (record: object) =>
        toRecord(record, 9, {
          action: 'PROJECT_EDITED',
          targetType: 'PROJECT',
          targetName: 'Bakery',
          details: { fields: ['title'], changes: { title: { from: 'Shop', to: 'Web shop' } } },
        }),
    });
    await open(`?record=${idOf(9)}`);
    await expectText('Web shop');
    expect(listSent('getAuditRecord').map(({ path }) => path)).to.deep.equal([
      `/api/v1/administrator/audit-log/${idOf(9)}`,
    ]);
  });
});

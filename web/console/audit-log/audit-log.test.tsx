import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectText } from '../../testing/expectations.ts';
import { chooseFilter, findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { AuditLog } from './audit-log.tsx';

const idOf = (number: number) => `018f4f3a-0000-7000-8000-00000000000${number}`;
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

  it('leaves sign-ins out until they, a person or a group of actions are asked for', async () => {
    answerLog();
    await open();
    await expectText(/\(3 times\)/);
    expect(listSent('listAuditLog').at(-1)?.query.get('hideSignIns')).to.equal('true');
    await user.click(await findField('Show sign-ins'));
    await expectText(/\(3 times\)/);
    expect(listSent('listAuditLog').at(-1)?.query.has('hideSignIns')).to.equal(false);
    await chooseFilter('Blocks, roles, sessions');
    await expectText(/\(3 times\)/);
    expect(listSent('listAuditLog').at(-1)?.query.getAll('action')).to.include('USER_BLOCKED');
    expect(document.querySelector('.chip')?.textContent).to.include('Action: Blocks, roles, sessions');
    await press('Remove filter Action');
    await waitFor(() => expect(window.location.search).not.to.include('action'));
  });

  it('has two days for what no period covers, and none of them once they are left', async () => {
    answerLog();
    await open('?from=2026-11-02');
    await expectText(/\(3 times\)/);
    expect((await findField('From')).value).to.equal('2026-11-02');
    await press('Dates …');
    await waitFor(() => expect(window.location.search).to.equal(''));
    expect(document.querySelector('input[type=date]')).to.equal(null);
    await press('Dates …');
    await findField('To');
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

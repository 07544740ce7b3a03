import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import type { AnyClient } from '../../session/platform.ts';
import { answer, listSent } from '../../testing/contract.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import {
  expectAnnouncement,
  expectNoText,
  expectText,
  fill,
  findField,
  press,
  user,
} from '../../testing/screen.ts';
import { backOffice } from '../back-office.ts';
import { UserList } from './user-list.tsx';

type Page = { data: { id: string; email: string; name: string | null }[]; total: number };

describe('list page', () => {
  const listNames = (...names: string[]) => ({
    body: (page: Page) => ({
      ...page,
      total: names.length,
      data: names.map((name, index) => ({
        ...page.data[0],
        id: `018f4f3a-0000-7000-8000-00000000000${index}`,
        name,
      })),
    }),
  });
  const open = (path = '/users') =>
    renderScreen(<UserList />, {
      base: '/console',
      path,
      kind: 'administrator',
      client: backOffice as unknown as AnyClient,
      isSignedIn: true,
    });
  const queries = () => listSent('listUsers').map(({ query }) => Object.fromEntries(query));
  const rows = () => [...document.querySelectorAll('[data-row] a')].map(({ textContent }) => textContent);

  it('shows the rows, and their number beside the heading', async () => {
    answer('listUsers', listNames('Ada Lovelace', 'Mila Novak'));
    await open();
    await expectText('Ada Lovelace');
    expect(rows()).to.deep.equal(['Ada Lovelace', 'Mila Novak']);
    expect(document.querySelector('.page-head')?.textContent).to.include('Users2');
    await expectAnnouncement('2 results', 'status');
  });

  it('searches after the last key, and keeps the search out of the address', async () => {
    await open();
    await fill({ 'Name or e-mail': 'mila' });
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ q: 'mila' }));
    expect(queries().filter(({ q }) => q !== undefined)).to.have.length(1);
    expect(window.location.search).to.equal('');
  });

  it('puts a filter into the address, and removes it from an empty list', async () => {
    answer('listUsers', listNames('Mila Novak'));
    await open();
    await expectText('Mila Novak');
    answer('listUsers', listNames());
    await user.selectOptions(await findField('State'), 'Blocked');
    await expectText('No user matches these filters.');
    expect(queries().at(-1)).to.deep.include({ isBlocked: 'true' });
    expect(window.location.search).to.equal('?isBlocked=true');
    await press('Remove all filters');
    await expectText('Mila Novak');
    expect(window.location.search).to.equal('');
  });

  it('follows the address to another search', async () => {
    await open();
    await fill({ 'Name or e-mail': 'mila' });
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ q: 'mila' }));
    answer('listUsers', listNames());
    await user.selectOptions(await findField('State'), 'Blocked');
    await press('Remove all filters');
    await waitFor(async () => expect((await findField('Name or e-mail')).value).to.equal(''));
  });

  it('keeps the old rows until the new ones are there', async () => {
    answer('listUsers', listNames('Ada Lovelace'));
    await open();
    await expectText('Ada Lovelace');
    const loading = Promise.withResolvers<void>();
    answer('listUsers', { ...listNames('Mila Novak'), after: loading.promise });
    await user.selectOptions(await findField('State'), 'Blocked');
    await waitFor(() => expect(document.querySelector('table')?.getAttribute('aria-busy')).to.equal('true'));
    expect(rows()).to.deep.equal(['Ada Lovelace']);
    loading.resolve();
    await expectText('Mila Novak');
    await expectNoText('Ada Lovelace');
  });

  it('keeps the rows when others cannot be loaded, says so, and loads them by a button', async () => {
    answer('listUsers', listNames('Ada Lovelace'));
    await open();
    await expectText('Ada Lovelace');
    answer('listUsers', { code: 'INTERNAL_ERROR' });
    await user.selectOptions(await findField('State'), 'Blocked');
    await expectAnnouncement('The service could not do this.');
    expect(rows()).to.deep.equal(['Ada Lovelace']);
    answer('listUsers', listNames('Mila Novak'));
    await press('Try again');
    await expectText('Mila Novak');
  });

  it('goes to the last page when the address has a later one', async () => {
    answer('listUsers', { body: (page: Page) => ({ ...page, data: [], total: 21 }) });
    await open('/users?page=9');
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ page: '2' }));
    expect(window.location.search).to.equal('?page=2');
  });
});

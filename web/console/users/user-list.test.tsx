import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, bodiesOf, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { chooseFilter, fill, findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { idOf, rows } from '../testing/rows.ts';
import { UserList } from './user-list.tsx';

type Page = { data: { id: string; email: string; name: string | null }[]; total: number };

const OTHER = '018f4f3a-0000-7000-8000-000000000009';

describe('list page', () => {
  const listNames = (...names: string[]) => rows(names.map((name, index) => ({ id: idOf(index), name })));
  const open = (path = '/users') => renderConsole(<UserList />, path);
  const queries = () => listSent('listUsers').map(({ query }) => Object.fromEntries(query));
  const shownNames = () =>
    [...document.querySelectorAll('[data-row] a')].map(({ textContent }) => textContent);

  it('shows the rows, and their number beside the heading', async () => {
    answer('listUsers', listNames('Ada Lovelace', 'Mila Novak'));
    await open();
    await expectText('Ada Lovelace');
    expect(shownNames()).to.deep.equal(['Ada Lovelace', 'Mila Novak']);
    expect(document.querySelector('.page-head')?.textContent).to.include('People2');
    await expectAnnouncement('2 results', 'status');
  });

  it('shows a deleted account as such, which nothing can be done to', async () => {
    answer('listUsers', {
      body: (page: Page) => ({
        ...page,
        total: 2,
        data: [
          { ...page.data[0], id: OTHER, name: null, email: 'deleted', isEmailVerified: false },
          { ...page.data[0], name: 'Ada' },
        ],
      }),
    });
    await open();
    await expectText('A deleted user');
    const [deleted] = document.querySelectorAll('[data-row]');
    expect(deleted?.textContent).to.include('Deleted').and.not.include('verified');
    expect(deleted?.querySelector('input')).to.equal(null);
    await user.click(await findField('Select all rows of this page'));
    await expectText('1 selected');
  });

  it('searches after the last key, and keeps the search out of the address', async () => {
    await open();
    await fill({ 'Name or email': 'mila' });
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ q: 'mila' }));
    expect(queries().filter(({ q }) => q !== undefined)).to.have.length(1);
    expect(window.location.search).to.equal('');
  });

  it('puts a filter into the address, and removes it from an empty list', async () => {
    answer('listUsers', listNames('Mila Novak'));
    await open();
    await expectText('Mila Novak');
    answer('listUsers', listNames());
    await chooseFilter('Blocked');
    await expectText('No user matches these filters.');
    expect(queries().at(-1)).to.deep.include({ isBlocked: 'true' });
    expect(window.location.search).to.equal('?isBlocked=true');
    await press('Remove all filters');
    await expectText('Mila Novak');
    expect(window.location.search).to.equal('');
  });

  it('finds those whose address is not verified', async () => {
    await open();
    await chooseFilter('Not verified');
    await waitFor(() => expect(queries().at(-1)).to.include({ isEmailVerified: 'false' }));
    expect(queries().at(-1)).not.to.have.property('isBlocked');
  });

  it('empties the search of a list that has no filter', async () => {
    answer('listUsers', listNames());
    await open();
    await fill({ 'Name or email': 'zzzz' });
    await expectText(/No user has “zzzz”/);
    await expectNoText('Remove all filters');
    const [, below] = document.querySelectorAll('[aria-label="Empty the search"], .empty button');
    await user.click(below as Element);
    await waitFor(async () => expect((await findField('Name or email')).value).to.equal(''));
  });

  it('follows the address to another search', async () => {
    await open();
    await fill({ 'Name or email': 'mila' });
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ q: 'mila' }));
    answer('listUsers', listNames());
    await chooseFilter('Blocked');
    await press('Remove all filters');
    await waitFor(async () => expect((await findField('Name or email')).value).to.equal(''));
  });

  it('keeps the old rows until the new ones are there', async () => {
    answer('listUsers', listNames('Ada Lovelace'));
    await open();
    await expectText('Ada Lovelace');
    const loading = Promise.withResolvers<void>();
    answer('listUsers', { ...listNames('Mila Novak'), after: loading.promise });
    await chooseFilter('Blocked');
    await waitFor(() => expect(document.querySelector('table')?.getAttribute('aria-busy')).to.equal('true'));
    expect(shownNames()).to.deep.equal(['Ada Lovelace']);
    loading.resolve();
    await expectText('Mila Novak');
    await expectNoText('Ada Lovelace');
  });

  it('keeps the rows when others cannot be loaded, says so, and loads them by a button', async () => {
    answer('listUsers', listNames('Ada Lovelace'));
    await open();
    await expectText('Ada Lovelace');
    answer('listUsers', { code: 'INTERNAL_ERROR' });
    await chooseFilter('Blocked');
    await expectAnnouncement('The service could not do this.');
    expect(shownNames()).to.deep.equal(['Ada Lovelace']);
    answer('listUsers', listNames('Mila Novak'));
    await press('Try again');
    await expectText('Mila Novak');
  });

  it('goes to the last page when the address has a later one', async () => {
    answer('listUsers', { body: (page: Page) => ({ ...page, data: [], total: 21 }) });
    await open('/users?page=3');
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ page: '2' }));
    expect(window.location.search).to.equal('?page=2');
  });

  it('sorts by its heads, and says so', async () => {
    await open();
    await press('Last sign-in');
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ sort: '-lastSignInAt' }));
    expect(window.location.search).to.equal('?sort=-lastSignInAt');
    expect(document.querySelector('[aria-sort=descending]')?.textContent).to.equal('Last sign-in');
    await press('Last sign-in');
    await waitFor(() => expect(queries().at(-1)).to.deep.include({ sort: 'lastSignInAt' }));
    expect(document.querySelectorAll('[aria-sort]')).to.have.length(1);
  });

  it('shows a filter with its value, and takes it away by its cross, from any page', async () => {
    answer('listUsers', { body: (page: Page) => ({ ...page, total: 21 }) });
    await open('/users?role=ARBITER&page=2');
    await expectText('Arbiter');
    await press('Remove filter Role');
    await waitFor(() => expect(window.location.search).to.equal(''));
    await waitFor(() => expect(queries().at(-1)).not.to.have.property('role'));
  });

  describe('search', () => {
    const search = () => findField('Name or email');

    it('keeps its text when Escape leaves it, and empties it by its cross', async () => {
      await open();
      await fill({ 'Name or email': 'mila' });
      await user.keyboard('{Escape}');
      expect((await search()).value).to.equal('mila');
      expect(document.activeElement?.tagName, 'the focus is on the heading').to.equal('H1');
      await press('Empty the search');
      expect((await search()).value).to.equal('');
      expect(document.activeElement).to.equal(await search());
    });

    it('leads to the first row by the arrow', async () => {
      answer('listUsers', listNames('Ada Lovelace', 'Mila Novak'));
      await open();
      await expectText('Ada Lovelace');
      (await search()).focus();
      await user.keyboard('{ArrowDown}');
      expect(document.activeElement?.textContent).to.equal('Ada Lovelace');
    });

    it('opens the first hit by Enter, once the answer to what is typed is there', async () => {
      answer('listUsers', listNames('Ada Lovelace'));
      await open();
      await expectText('Ada Lovelace');
      const loading = Promise.withResolvers<void>();
      answer('listUsers', {
        body: (page: Page) => ({
          ...page,
          total: 1,
          data: [{ ...page.data[0], id: OTHER, name: 'Mila Novak' }],
        }),
        after: loading.promise,
      });
      await fill({ 'Name or email': 'mila' });
      await user.keyboard('{Enter}');
      await waitFor(() => expect(queries().at(-1)).to.deep.include({ q: 'mila' }));
      expect(window.location.pathname).to.equal('/console/users');
      loading.resolve();
      await waitFor(() => expect(window.location.pathname).to.equal(`/console/users/${OTHER}`));
    });

    it('opens no hit after Enter once the text was changed, even if it is typed again', async () => {
      await open();
      const loading = Promise.withResolvers<void>();
      answer('listUsers', { ...listNames('Mila Novak'), after: loading.promise });
      await fill({ 'Name or email': 'mil' });
      await user.keyboard('{Enter}a');
      await waitFor(() => expect(queries().at(-1)).to.deep.include({ q: 'mila' }));
      loading.resolve();
      await expectText('Mila Novak');
      answer('listUsers', listNames('Milan Weber'));
      await user.keyboard('{Backspace}');
      await expectText('Milan Weber');
      expect(window.location.pathname).to.equal('/console/users');
    });
  });

  describe('selection', () => {
    const openPeople = async (names: string[]) => {
      const customer = { roles: ['CUSTOMER'], isBlocked: false };
      answer('listUsers', rows(names.map((name, index) => ({ id: idOf(index), name, ...customer }))));
      await open();
      await expectText('Ada');
    };
    const openThree = () => openPeople(['Ada', 'Bo', 'Cleo']);
    const focusRow = (index: number) =>
      document.querySelectorAll<HTMLElement>('[data-row] a')[index]?.focus();
    const blocked = () => listSent('blockUser').map(({ path }) => path.split('/').at(-2)?.at(-1));

    it('is of rows by x, of a range by Shift and x, and ends by Escape', async () => {
      await openThree();
      focusRow(0);
      await user.keyboard('x');
      await expectText('1 selected');
      focusRow(2);
      await user.keyboard('{Shift>}X{/Shift}');
      await expectText('3 selected');
      await user.keyboard('{Escape}');
      await expectNoText('3 selected');
      await findField('Name or email');
    });

    it('is of one row after Shift where the row before is on another page', async () => {
      await openThree();
      focusRow(0);
      await user.keyboard('x');
      answer(
        'listUsers',
        rows([
          { id: idOf(3), name: 'Dora' },
          { id: idOf(4), name: 'Eve' },
        ]),
      );
      await press('Last sign-in');
      await expectText('Dora');
      focusRow(0);
      await user.keyboard('{Shift>}X{/Shift}');
      await expectText('1 selected');
    });

    it('blocks one after the other, and says what failed by name', async () => {
      await openThree();
      await user.click(await findField('Select all rows of this page'));
      answer('blockUser', { code: 'SERVICE_UNAVAILABLE' });
      await press('Block …');
      await expectText('Block 3 people?');
      const isolated = [...document.querySelectorAll('dialog bdi')].map(({ textContent }) => textContent);
      expect(isolated).to.deep.equal(['Ada', 'Bo', 'Cleo']);
      await press('Block 3 people');
      await expectText('3 of 3 did not work');
      expect(blocked()).to.deep.equal(['0', '1', '2']);
      await expectText('Bo');
      answer('blockUser');
      await press('Try 3 again');
      await expectAnnouncement('3 people are blocked.', 'status');
      await expectNoText('3 selected');
    });

    it('wants the number of people typed from ten on', async () => {
      await openPeople(['Ada', ...Array.from({ length: 9 }, (_, index) => `Bo ${index}`)]);
      await user.click(await findField('Select all rows of this page'));
      await press('Block …');
      await fill({ 'Type 10 to confirm': '9' });
      await press('Block 10 people');
      expect(blocked()).to.deep.equal([]);
      await fill({ 'Type 10 to confirm': '10' });
      await press('Block 10 people');
      await expectAnnouncement('10 people are blocked.', 'status');
      expect(blocked()).to.have.length(10);
    });

    it('writes the reason as a note to each block, also after the note of one failed', async () => {
      await openThree();
      await user.click(await findField('Select Ada'));
      await user.click(await findField('Select Bo'));
      answer('addUserNote', { code: 'INTERNAL_ERROR' });
      await press('Block …');
      await user.click(await findField('Spam or fake requests'));
      await press('Block 2 people');
      await expectText('2 of 2 did not work');
      answer('addUserNote');
      await press('Try 2 again');
      await expectAnnouncement('2 people are blocked.', 'status');
      expect(blocked()).to.deep.equal(['0', '1']);
      const text = 'Spam or fake requests.';
      expect(bodiesOf('addUserNote').slice(-2)).to.deep.equal([{ text }, { text }]);
    });

    it('acts on the people of the next selection after a run was cancelled', async () => {
      await openThree();
      await user.click(await findField('Select all rows of this page'));
      const first = Promise.withResolvers<void>();
      answer('blockUser', { code: 'USER_NOT_FOUND', after: first.promise });
      await press('Block …');
      await press('Block 3 people');
      await waitFor(() => expect(blocked()).to.deep.equal(['0']));
      await press('Cancel');
      first.resolve();
      const timesLoaded = queries().length;
      await waitFor(() => expect(queries().length).to.be.greaterThan(timesLoaded));
      await user.click(await findField('Select Ada'));
      await user.click(await findField('Select Bo'));
      answer('blockUser');
      await press('Block …');
      await press('Block 1 person');
      await expectAnnouncement('1 person is blocked.', 'status');
      expect(blocked()).to.deep.equal(['0', '2']);
    });

    it('says what failed although the list no longer has the people', async () => {
      await openThree();
      await user.click(await findField('Select Bo'));
      answer('blockUser', { code: 'USER_NOT_FOUND' });
      await press('Block …');
      answer('listUsers', listNames());
      await press('Block 1 person');
      await expectText('1 of 1 did not work');
      await press('Close');
      await expectText(/^Nobody/);
    });

    it('waits as long as the platform asks', async () => {
      await openThree();
      await user.click(await findField('Select Bo'));
      answer('blockUser', { code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
      await press('Block …');
      await press('Block 1 person');
      await waitFor(() => expect(blocked()).to.have.length(1));
      answer('blockUser');
      await expectAnnouncement('1 person is blocked.', 'status');
      expect(blocked()).to.deep.equal(['1', '1']);
    });

    it('leaves out who cannot be blocked', async () => {
      answer('listUsers', {
        body: (page: Page) => ({
          ...page,
          total: 1,
          data: [{ ...page.data[0], id: OTHER, name: 'Ada', roles: ['ADMIN'], isBlocked: false }],
        }),
      });
      await open();
      await user.click(await findField('Select Ada'));
      await press('Block …');
      await expectText('Nobody of the selected people can be blocked.');
    });
  });
});

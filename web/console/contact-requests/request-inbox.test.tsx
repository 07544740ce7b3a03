import { mock } from 'node:test';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectClosed, expectNoText, expectText } from '../../testing/expectations.ts';
import { fill, findField, onTop, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { idOf, rows } from '../testing/rows.ts';
import { RequestInbox } from './request-inbox.tsx';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe('requests', () => {
  const answerList = (numbers: number[], after?: Promise<void>) =>
    answer('listContactRequests', {
      ...rows(
        numbers.map((number) => ({
          id: idOf(number),
          name: `Sender ${number}`,
          subject: `Subject ${number}`,
          doneAt: null,
          doneBy: null,
        })),
      ),
      ...(after && { after }),
    });
  const answerDetail = (number: number, changes: object = {}) =>
    answer('getContactRequest', {
      body: (form: object) => ({
        ...form,
        id: idOf(number),
        subject: `Subject ${number}`,
        message: HOSTILE,
        doneAt: null,
        doneBy: null,
        ...changes,
      }),
    });
  /** Without the ids that the page has made. */
  const repliesSent = () =>
    listSent('replyToContactRequest').map(({ body }) => {
      const { id: _id, ...reply } = body as { id: string };
      return reply;
    });
  const render = (query = '') => renderConsole(<RequestInbox />, `/contact-requests${query}`);
  const open = async (number: number) => {
    const platform = await render(`?request=${idOf(number)}`);
    await expectText(HOSTILE);
    return platform;
  };

  it('are marked as done by E, which opens the next one and can be undone', async () => {
    answerList([1, 2]);
    answerDetail(1);
    await open(1);
    await user.keyboard('e');
    await expectAnnouncement(/The request is done\./, 'status');
    await waitFor(() => expect(window.location.search).to.include(idOf(2)));
    expect(listSent('editContactRequest').map(({ body }) => body)).to.deep.equal([{ isDone: true }]);
    await press('Undo');
    await expectAnnouncement(/open again/, 'status');
    expect(listSent('editContactRequest').at(-1)).to.deep.include({ body: { isDone: false } });
  });

  it('are marked as done by E, which leaves out the next one if a colleague has done it meanwhile', async () => {
    answerList([1, 2, 3]);
    answerDetail(1);
    await open(1);
    answerList([3]);
    await user.keyboard('e');
    await waitFor(() => expect(window.location.search).to.include(idOf(3)));
  });

  it('name who they are from by their own words, which anybody can write, beside the account', async () => {
    answerList([1]);
    answerDetail(1, {
      name: 'Mallory',
      email: 'ada@example.com',
      account: { id: idOf(7), name: 'Ada Appleton' },
    });
    await open(1);
    const sender = document.querySelector('.request-sender');
    expect(sender?.querySelector('.strong')?.textContent).to.equal('Mallory');
    expect(sender?.querySelector('.avatar')?.textContent).to.equal('M');
    await expectText(/An account has this address: Ada Appleton. Anybody can enter an address/);
  });

  it('lead to people of that name where the address has no account', async () => {
    answerList([1]);
    answerDetail(1, { name: 'Mila Novak', account: null });
    await open(1);
    await user.click(await onTop().findByRole('link', { name: 'Search people' }));
    expect(history.state).to.include({ search: 'Mila Novak' });
  });

  it('load again each minute', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      answerList([1]);
      answerDetail(1);
      await open(1);
      const count = () => [listSent('listContactRequests').length, listSent('getContactRequest').length];
      const [lists = 0, details = 0] = count();
      mock.timers.tick(60_000);
      await waitFor(() => expect(count()).to.deep.equal([2 * lists, details + 1]));
    } finally {
      mock.timers.reset();
    }
  });

  it('are answered by R, and the text is sent as it was typed', async () => {
    answerList([1]);
    answerDetail(1);
    await open(1);
    await user.keyboard('r');
    await user.keyboard(`Hello {Control>}{Enter}{/Control}`);
    await expectAnnouncement(/on its way/, 'status');
    expect(repliesSent()).to.deep.equal([{ text: 'Hello ', isDone: true }]);
  });

  it('get a note by N, whose field has the focus', async () => {
    answerList([1]);
    answerDetail(1);
    await open(1);
    await user.keyboard('n');
    await user.keyboard('Rang back, ear');
    expect((document.activeElement as HTMLTextAreaElement).value).to.equal('Rang back, ear');
  });

  it('are not marked by the repetitions of a held E', async () => {
    answerList([1]);
    answerDetail(1);
    await open(1);
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', repeat: true, bubbles: true }));
    await user.keyboard('n');
    expect(listSent('editContactRequest')).to.deep.equal([]);
  });

  it('are answered and marked as done at once, or only answered', async () => {
    answerList([1, 2]);
    answerDetail(1);
    await open(1);
    await fill({ 'Reply by mail': 'Hello' });
    await press('Send reply');
    await expectAnnouncement('The reply is on its way.', 'status');
    expect(listSent('editContactRequest')).to.deep.equal([]);
    await fill({ 'Reply by mail': 'Hello again' });
    await press('Send and mark as done');
    await expectAnnouncement('The request is done. The reply is on its way, and stays sent.', 'status');
    expect(repliesSent()).to.deep.equal([{ text: 'Hello' }, { text: 'Hello again', isDone: true }]);
    expect(listSent('editContactRequest')).to.deep.equal([]);
    await waitFor(() => expect(window.location.search).to.include(idOf(2)));
  });

  it('keep the id of a reply that is sent again after an error, and not that of another one', async () => {
    answerList([1]);
    answerDetail(1);
    await open(1);
    answer('replyToContactRequest', { status: 503, code: 'SERVICE_UNAVAILABLE' });
    await fill({ 'Reply by mail': 'Hello' });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await press('Send reply');
      await waitFor(() => expect(listSent('replyToContactRequest')).to.have.length(attempt));
    }
    await fill({ 'Reply by mail': 'Hello Ada' });
    answer('replyToContactRequest');
    for (let attempt = 3; attempt <= 4; attempt += 1) {
      await press('Send reply');
      await expectAnnouncement('The reply is on its way.', 'status');
      await fill({ 'Reply by mail': 'Hello Ada' });
    }
    const [first, second, ...others] = listSent('replyToContactRequest').map(
      ({ body }) => (body as { id: string }).id,
    );
    expect(second).to.equal(first);
    expect(new Set([first, ...others]).size).to.equal(3);
  });

  it('are answered and marked as done although a note is begun and another one opened meanwhile', async () => {
    answerList([1, 2, 3]);
    answerDetail(1);
    await open(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    answer('replyToContactRequest', { after: promise });
    await fill({ 'Reply by mail': 'Hello' });
    await press('Send and mark as done');
    await user.click(document.body);
    await user.keyboard('n');
    await user.click(document.body);
    await user.keyboard('jj');
    await waitFor(() => expect(window.location.search).to.include(idOf(3)));
    resolve();
    await expectAnnouncement('The request is done. The reply is on its way, and stays sent.', 'status');
    expect(listSent('addContactRequestNote')).to.deep.equal([]);
    expect(window.location.search).to.include(idOf(3));
  });

  it('ask before they are done with a reply that was typed and not sent, which Cancel keeps', async () => {
    answerList([1, 2]);
    answerDetail(1);
    await open(1);
    await fill({ 'Reply by mail': 'Hello' });
    await user.keyboard('{Escape}e');
    await expectText('You have not sent this reply');
    await user.keyboard('e');
    await press('Cancel');
    await press('Done and next');
    await press('Done without sending');
    await expectAnnouncement(/The request is done\./, 'status');
    expect(listSent('editContactRequest').map(({ body }) => body)).to.deep.equal([{ isDone: true }]);
    expect(listSent('replyToContactRequest')).to.deep.equal([]);
    const row = await onTop().findByRole('button', { name: /^Sender 1.*Draft, not sent/ });
    expect(row.getAttribute('aria-current')).to.equal(null);
    expect(onTop().queryByRole('button', { name: /^Sender 2.*Draft, not sent/ })).to.equal(null);
  });

  it('are done after the reply that was typed is sent, also while a note is open', async () => {
    answerList([1, 2]);
    answerDetail(1);
    await open(1);
    await fill({ 'Reply by mail': 'Hello' });
    await press('Internal note');
    await press('Done and next');
    await press('Send and mark as done');
    await expectAnnouncement('The request is done. The reply is on its way, and stays sent.', 'status');
    expect(repliesSent()).to.deep.equal([{ text: 'Hello', isDone: true }]);
    expect(onTop().queryByText('Draft, not sent')).to.equal(null);
  });

  it('leave a reply by Escape, so that single keys act again', async () => {
    answerList([1, 2]);
    answerDetail(1);
    await open(1);
    await user.keyboard('r');
    await user.keyboard('{Escape}j');
    await waitFor(() => expect(window.location.search).to.include(idOf(2)));
  });

  it('get what is typed after R before they are there, and none of it acts on them', async () => {
    const loading = Promise.withResolvers<void>();
    answerList([1, 2]);
    answer('getContactRequest', {
      body: (form: object) => ({ ...form, id: idOf(1), message: HOSTILE, doneAt: null, doneBy: null }),
      after: loading.promise,
    });
    await render(`?request=${idOf(1)}`);
    await expectText('Subject 1');
    await user.keyboard('rDear');
    loading.resolve();
    await expectText(HOSTILE);
    await user.keyboard(' Ada');
    expect((document.activeElement as HTMLTextAreaElement).value).to.equal('Dear Ada');
    expect(listSent('editContactRequest')).to.deep.equal([]);
  });

  it('are sent by no Ctrl S', async () => {
    answerList([1]);
    answerDetail(1);
    await open(1);
    await fill({ 'Reply by mail': 'Hello' });
    await user.keyboard('{Control>}s{/Control}');
    expect(listSent('replyToContactRequest')).to.deep.equal([]);
  });

  it('have a place, from which J and K lead on, also to the next page, and which Back leaves', async () => {
    answer('listContactRequests', {
      body: (page: { data: object[] }) => ({
        ...page,
        total: 42,
        data: [1, 2].map((number) => ({ ...page.data[0], id: idOf(number), name: `Sender ${number}` })),
      }),
    });
    answerDetail(1);
    let pushed = 0;
    const count = () => {
      pushed += 1;
    };
    window.addEventListener('pushState', count);
    await render('?page=2');
    await press(/^Sender 1/);
    await expectText('21 of 42');
    expect(window.location.search).to.equal(`?page=2&request=${idOf(1)}`);
    expect(document.activeElement?.getAttribute('aria-label'), 'the focus is in it').to.equal('Subject 1');
    await user.keyboard('j');
    await expectText('22 of 42');
    expect(document.activeElement?.className, 'the focus goes along').to.equal('request-detail');
    await user.keyboard('j');
    await waitFor(() => expect(window.location.search).to.equal(`?page=3&request=${idOf(1)}`));
    await user.keyboard('k');
    await waitFor(() => expect(window.location.search).to.equal(`?page=2&request=${idOf(2)}`));
    expect(pushed).to.equal(1);
    window.removeEventListener('pushState', count);
  });

  it('are counted by state, of what is searched', async () => {
    answer('listContactRequests', {
      body: (page: object) => ({ ...page, total: 3 }),
    });
    await render('?view=mine');
    await waitFor(() =>
      expect(document.querySelector('.request-views')?.textContent).to.equal('Open 3New 3Mine 3Done 3'),
    );
    const counted = listSent('listContactRequests').filter(({ query }) => query.get('perPage') === '1');
    expect(
      counted.map(({ query }) => [query.get('isDone'), query.get('assigneeId') === 'none']),
    ).to.deep.equal([
      ['false', false],
      ['false', true],
      ['false', false],
      ['true', false],
    ]);
    await user.type(await onTop().findByRole('searchbox'), 'mila');
    await waitFor(() => {
      const last = listSent('listContactRequests').filter(({ query }) => query.get('perPage') === '1');
      expect(last.slice(-4).map(({ query }) => query.get('q'))).to.deep.equal(Array(4).fill('mila'));
    });
  });

  it('have notes, which are not sent to the sender', async () => {
    answerList([1]);
    answerDetail(1);
    await open(1);
    await press('Internal note');
    await fill({ 'Internal note': 'Call back' });
    await press('Add note');
    await expectAnnouncement(/note is saved/, 'status');
    expect(listSent('addContactRequestNote').map(({ body }) => body)[0]).to.include({ text: 'Call back' });
    expect(listSent('replyToContactRequest')).to.deep.equal([]);
  });

  it('open the first hit by Enter once the answer is there, and keep the search', async () => {
    answerList([1]);
    answerDetail(2);
    await render();
    await expectText('Subject 1');
    const loading = Promise.withResolvers<void>();
    answerList([2], loading.promise);
    await fill({ 'Name, address, company or subject': 'two' });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(listSent('listContactRequests').at(-1)?.query.get('q')).to.equal('two'));
    expect(window.location.search).to.equal('');
    loading.resolve();
    await waitFor(() => expect(window.location.search).to.equal(`?request=${idOf(2)}`));
    expect(history.state).to.deep.include({ search: 'two' });
  });

  it('are marked as done together, one after the other, and what failed is said by name', async () => {
    answerList([1, 2, 3]);
    await render();
    await user.click(await findField('Select Sender 1, Subject 1'));
    await user.click(await findField('Select Sender 3, Subject 3'));
    await expectText('2 selected');
    answer('editContactRequest', { code: 'SERVICE_UNAVAILABLE' });
    await press('Done …');
    await press('Mark as done');
    await expectText('2 of 2 did not work');
    await expectText('Sender 3, Subject 3');
    answer('editContactRequest');
    await press('Try 2 again');
    await expectAnnouncement('2 requests are done.', 'status');
    await expectNoText('2 selected');
    const sent = listSent('editContactRequest').map(({ path, body }) => [path.at(-1), body]);
    expect(sent.slice(2)).to.deep.equal([
      ['1', { isDone: true }],
      ['3', { isDone: true }],
    ]);
  });

  it('are tried again only where that can work', async () => {
    answerList([1, 2]);
    await render();
    await user.click(await findField('Select Sender 1, Subject 1'));
    answer('editContactRequest', { code: 'CONTACT_REQUEST_NOT_FOUND' });
    await press('Done …');
    await press('Mark as done');
    await expectText('1 of 1 did not work');
    expect(onTop().queryByRole('button', { name: /again/ })).to.equal(null);
    await press('Close');
    await expectClosed();
  });

  it('cannot be marked where they are done already', async () => {
    answerList([1]);
    await render('?view=done');
    await expectText('Subject 1');
    expect(document.querySelector('.request-rows input')).to.equal(null);
  });

  it('are given to a colleague or to nobody from a menu, which has the administrators by name', async () => {
    const other = { id: idOf(8), email: 'jonas@example.com', name: 'Jonas Weber' };
    answerList([1]);
    answerDetail(1, { assignee: other });
    answer('listUsers', {
      body: (page: { data: object[] }) => ({
        ...page,
        total: 3,
        data: [
          { ...page.data[0], ...other, roles: ['ADMIN'] },
          { ...page.data[0], id: idOf(9), name: 'Anna Berg', roles: ['ADMIN'] },
          { ...page.data[0], id: idOf(7), name: 'Otto', roles: ['OPERATOR'] },
        ],
      }),
    });
    await open(1);
    await press('Assigned to: Jonas Weber');
    await expectText('Anna Berg');
    const choices = [...document.querySelectorAll('[role=menuitemradio]')];
    expect(choices.map((choice) => choice.textContent)).to.deep.equal([
      'You',
      'ABAnna Berg',
      'JWJonas Weber✓',
      'Nobody',
    ]);
    answer('editContactRequest', {
      body: (form: object) => ({ ...form, assignee: { ...other, id: idOf(9), name: 'Anna Berg' } }),
    });
    await user.click(choices[1] as Element);
    await expectAnnouncement('The request is assigned to Anna Berg.', 'status');
    answer('editContactRequest', { body: (form: object) => ({ ...form, assignee: null }) });
    await press('Assigned to: Jonas Weber');
    await user.click([...document.querySelectorAll('[role=menuitemradio]')].at(-1) as Element);
    await expectAnnouncement(/is nobody’s/, 'status');
    const sent = listSent('editContactRequest').map(({ body }) => body);
    expect(sent).to.deep.equal([{ assigneeId: idOf(9) }, { assigneeId: null }]);
  });

  it('are assigned to the reader by A', async () => {
    answerList([1]);
    answerDetail(1, { assignee: null });
    const { client } = await open(1);
    const me = { id: client.getSnapshot().user?.id, email: null, name: 'Anna Berg' };
    answer('editContactRequest', { body: (form: object) => ({ ...form, assignee: me }) });
    await user.keyboard('a');
    await expectAnnouncement(/is yours/, 'status');
    expect(listSent('editContactRequest')[0]?.body).to.have.property('assigneeId').that.is.a('string');
  });

  it('say whose they are also when the answer to the assignment was lost', async () => {
    answerList([1]);
    answerDetail(1, { assignee: null });
    await open(1);
    const { fetch } = globalThis;
    let requestId: string | null = null;
    globalThis.fetch = ((request: Request) => {
      if (request.method === 'PATCH') requestId = request.headers.get('X-Request-Id');
      return fetch(request);
    }) as typeof fetch;
    answer('editContactRequest', 'unreachable');
    answerDetail(1, { assignee: { id: idOf(8), email: 'jonas@example.com', name: 'Jonas Weber' } });
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: page.data.slice(0, 1).map((record) => ({ ...record, requestId })),
      }),
    });
    await user.keyboard('a');
    await expectAnnouncement('The request is assigned to Jonas Weber. The answer came late.', 'status');
  });
});

import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

type Table = 'lead_requests' | 'support_requests';

describe('contact requests', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = (query: Record<string, string | number | boolean> = {}) =>
    administrator().listContactRequests({ query });
  const edit = (id: string, isDone: boolean, client = administrator()) =>
    client.editContactRequest({ id, body: { isDone } });

  const addForm = async (table: Table, { createdAt = new Date(), email = uniqueEmail() } = {}) => {
    const [row] = await service().records.query<{ id: string }>(
      table === 'lead_requests'
        ? `insert into lead_requests (name, email, created_at) values ('Ada', $1, $2) returning id`
        : `insert into support_requests (subject, message, email, created_at) values ('Sign-in', 'Help', $1, $2) returning id`,
      [email, createdAt],
    );
    return row?.id ?? '';
  };

  beforeEach('delete the forms of other tests', async () => {
    await service().records.query('delete from lead_requests');
    await service().records.query('delete from support_requests');
  });

  it('lists both kinds with all their fields, newest first', async () => {
    const lead = {
      name: 'Ada',
      email: uniqueEmail(),
      phone: '+44 20',
      company: 'Engines',
      message: 'A shop.',
    };
    const support = { email: uniqueEmail(), subject: 'Sign-in', message: 'It fails.' };
    expect((await administrator().submitLeadRequest({ body: lead })).status).to.equal(204);
    expect((await administrator().submitSupportRequest({ body: support })).status).to.equal(204);
    const { status, body } = await list();
    expect(status).to.equal(200);
    expect(body).to.include({ total: 2, page: 1, perPage: 10 });
    const shown = body.data.map(({ id: _id, createdAt: _at, ...form }: Record<string, unknown>) => form);
    const nobody = { doneAt: null, doneBy: null, assignee: null, account: null, repliedAt: null };
    const none = { name: null, phone: null, company: null, subject: null, ...nobody };
    expect(shown).to.deep.equal([
      { ...none, kind: 'support', ...support },
      { ...none, kind: 'lead', ...lead },
    ]);
  });

  it('pages both kinds in one order, with the total', async () => {
    const ids: string[] = [];
    for (const minutes of [1, 2, 3, 4, 5, 6])
      ids.push(
        await addForm(minutes % 2 === 0 ? 'lead_requests' : 'support_requests', {
          createdAt: minutesAgo(minutes),
        }),
      );
    const pages = [await list({ perPage: 4 }), await list({ perPage: 4, page: 2 })];
    expect(pages.flatMap(getIds)).to.deep.equal(ids);
    for (const { body } of pages) expect(body.total).to.equal(6);
    expect((await list({ page: 9 })).body).to.deep.equal({ data: [], total: 6, page: 9, perPage: 10 });
  });

  it('sorts forms of the same time by id, descending', async () => {
    const createdAt = minutesAgo(1);
    const tied = [];
    for (const table of ['lead_requests', 'support_requests', 'lead_requests'] as const)
      tied.push(await addForm(table, { createdAt }));
    expect(getIds(await list())).to.deep.equal(tied.sort().reverse());
  });

  it('filters rows and total by kind and by state', async () => {
    const lead = await addForm('lead_requests');
    const support = await addForm('support_requests', { createdAt: minutesAgo(1) });
    await edit(support, true);
    for (const [query, ids] of [
      [{ kind: 'lead' }, [lead]],
      [{ kind: 'support' }, [support]],
      [{ isDone: true }, [support]],
      [{ isDone: false }, [lead]],
      [{ kind: 'lead', isDone: true }, []],
    ] as const) {
      const response = await list(query);
      expect(getIds(response), JSON.stringify(query)).to.deep.equal(ids);
      expect(response.body.total, JSON.stringify(query)).to.equal(ids.length);
    }
    for (const [name, value] of Object.entries({ kind: 'mail', isDone: 'yes', search: 'x' }))
      expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });

  for (const table of ['lead_requests', 'support_requests'] as const)
    it(`marks one of ${table} as done and not done, audited once each`, async () => {
      const id = await addForm(table);
      const { id: userId, email } = administrator();
      const done = await edit(id, true);
      expect(done.status).to.equal(200);
      expect(done.body.doneBy).to.deep.equal({ id: userId, email, name: null });
      expect(Date.parse(done.body.doneAt)).to.be.closeTo(Date.now(), 60_000);
      const other = await service().as('ADMIN');
      expect((await edit(id, true, other)).body).to.deep.equal(done.body);
      const { notes, replies, history, ...listed } = done.body;
      expect([notes, replies, history.length]).to.deep.equal([[], [], 1]);
      expect((await list()).body.data).to.deep.equal([listed]);
      expect((await edit(id, false)).body).to.include({ doneAt: null, doneBy: null });
      expect((await edit(id, false)).body).to.include({ doneAt: null, doneBy: null });
      const records = await service().records.auditOf(id);
      expect(records.map(({ action, actorId, targetType }) => [action, actorId, targetType])).to.deep.equal([
        ['CONTACT_REQUEST_DONE', userId, 'CONTACT_REQUEST'],
        ['CONTACT_REQUEST_REOPENED', userId, 'CONTACT_REQUEST'],
      ]);
    });

  it('records one of two concurrent changes', async () => {
    const others = [await service().as('ADMIN'), await service().as('ADMIN')];
    for (let round = 0; round < 10; round += 1) {
      const id = await addForm('lead_requests');
      const responses = await Promise.all(others.map((other) => edit(id, true, other)));
      const [record, ...rest] = await service().records.auditOf(id);
      expect(rest).to.deep.equal([]);
      for (const { body } of responses) expect(body.doneBy.id).to.equal(record?.actorId);
    }
  });

  it('shows a deleted administrator without an address', async () => {
    const leaver = await service().as('ADMIN');
    const id = await addForm('lead_requests');
    await edit(id, true, leaver);
    await service().records.removeRoles(leaver.id);
    await service().records.deleteAccount(leaver.id);
    expect((await list()).body.data[0].doneBy).to.deep.equal({ id: leaver.id, email: null, name: null });
  });

  it('are deleted with the account of a verified address, also when they are done', async () => {
    const { records } = service();
    const [owner, late, stranger] = [
      await records.user(['CUSTOMER'], { isEmailVerified: true }),
      await records.user(['CUSTOMER']),
      await records.user(['CUSTOMER']),
    ];
    await addForm('lead_requests', { email: late.email });
    await records.verifyEmail(late.id);
    const done = await addForm('lead_requests', { email: owner.email });
    await edit(done, true);
    await addForm('support_requests', { email: owner.email.toUpperCase() });
    const kept = await addForm('support_requests', { email: stranger.email });
    for (const { id } of [owner, late, stranger]) await records.deleteAccount(id);
    expect(getIds(await list())).to.deep.equal([kept]);
  });

  it('returns 404 for an unknown form, and 400 for anything but the state and the assignee', async () => {
    expectError(await edit(randomUUID(), true), 404, 'CONTACT_REQUEST_NOT_FOUND');
    const path = `/administrator/contact-requests/${await addForm('lead_requests')}`;
    for (const body of [{ isDone: 'yes' }, { isDone: null }])
      expectError(await administrator().send('PATCH', path, body), 400, 'VALIDATION_FAILED', '/body/isDone');
    const withNote = { isDone: true, note: uniqueWord() };
    expectError(await administrator().send('PATCH', path, withNote), 400, 'VALIDATION_FAILED', '/body/note');
  });
});

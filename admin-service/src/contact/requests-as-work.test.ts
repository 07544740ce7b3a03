import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds } from '../../testing/admin-service.ts';
import { useRequests } from '../../testing/contact-requests.ts';

const HOSTILE = `<img src=x onerror=alert(1)>\r\nBcc: all@example.com\n-- \n' or 1=1 --`;

describe('assignment of a contact request', () => {
  const { service, administrator, records, list, submit, get, edit, reference } = useRequests();

  it('gives it to an ADMIN, to another one, and to nobody, recorded once each', async () => {
    const { id } = await submit();
    const other = await service().as('ADMIN');
    const own = await edit(id, { assigneeId: administrator().id.toUpperCase() });
    expect(own.status, own.text).to.equal(200);
    expect(own.body).to.deep.include({
      assignee: reference(administrator()),
      doneBy: null,
      notes: [],
      replies: [],
    });
    expect((await edit(id, { assigneeId: administrator().id })).body).to.deep.equal(own.body);
    expect((await edit(id, { assigneeId: other.id }, other)).body.assignee).to.deep.equal(reference(other));
    expect((await get(id)).body.assignee).to.deep.equal(reference(other));
    expect((await edit(id, { assigneeId: null })).body.assignee).to.equal(null);
    expect((await edit(id, {})).body).to.deep.include({ assignee: null, doneAt: null });
    const both = await edit(id, { assigneeId: other.id, isDone: true });
    expect(both.body).to.deep.include({ assignee: reference(other), doneBy: reference(administrator()) });
    const audited = (await records().auditOf(id)).map(({ action, details }) => [action, details]);
    expect(audited).to.have.deep.members([
      ['CONTACT_REQUEST_ASSIGNED', { userId: administrator().id }],
      ['CONTACT_REQUEST_ASSIGNED', { userId: other.id }],
      ['CONTACT_REQUEST_ASSIGNED', { userId: null }],
      ['CONTACT_REQUEST_ASSIGNED', { userId: other.id }],
      ['CONTACT_REQUEST_DONE', {}],
    ]);
  });

  it('returns 404 for anybody who is no ADMIN, and changes nothing', async () => {
    const { id } = await submit();
    const operator = await service().as('OPERATOR');
    for (const assigneeId of [operator.id, randomUUID(), (await records().user(['CUSTOMER'])).id])
      expectError(await edit(id, { assigneeId, isDone: true }), 404, 'USER_NOT_FOUND');
    expect((await get(id)).body).to.deep.include({ assignee: null, doneAt: null });
    expectError(await edit(randomUUID(), { assigneeId: operator.id }), 404, 'CONTACT_REQUEST_NOT_FOUND');
    expectError(await get(randomUUID()), 404, 'CONTACT_REQUEST_NOT_FOUND');
  });

  it('ends with the role of the assignee', async () => {
    const { id } = await submit();
    const other = await service().as('ADMIN');
    await edit(id, { assigneeId: other.id });
    expect((await administrator().removePlatformRole({ id: other.id })).status).to.equal(204);
    expect((await get(id)).body.assignee).to.equal(null);
    expect(getIds(await list({ assigneeId: 'none' }))).to.deep.equal([id]);
  });

  it('waits for the end of a role that is being removed', async () => {
    const { id } = await submit();
    const other = await service().as('ADMIN');
    const removal = await holdLock(
      service().databaseUrl,
      `with locked as (select id from users where id = $1 for no key update)
       delete from user_roles where user_id in (select id from locked)`,
      [other.id],
    );
    const [response] = await Promise.all([edit(id, { assigneeId: other.id }), removal.commitWhenWaiting(1)]);
    expectError(response, 404, 'USER_NOT_FOUND');
    expect((await get(id)).body.assignee).to.equal(null);
  });

  it('keeps one of two ADMINs who take it at once', async () => {
    const others = [await service().as('ADMIN'), await service().as('ADMIN')];
    for (let round = 0; round < 5; round += 1) {
      const { id } = await submit();
      const responses = await Promise.all(others.map((other) => edit(id, { assigneeId: other.id }, other)));
      expect(responses.map(({ status }) => status)).to.deep.equal([200, 200]);
      const audited = await records().auditOf(id);
      expect(audited).to.have.lengthOf(2);
      const { assignee } = (await get(id)).body;
      expect(others.map((other) => other.id)).to.include(assignee.id);
    }
  });
});

describe('filters of contact requests', () => {
  const { administrator, records, list, submit, submitLead, edit, changeEmail } = useRequests();

  it('find what is assigned to somebody or to nobody', async () => {
    const taken = await submit();
    const free = await submitLead();
    await edit(taken.id, { assigneeId: administrator().id });
    expect(getIds(await list({ assigneeId: administrator().id }))).to.deep.equal([taken.id]);
    expect(getIds(await list({ assigneeId: 'none' }))).to.deep.equal([free.id]);
    expect((await list({ assigneeId: randomUUID() })).body).to.include({ total: 0 });
    expectError(await list({ assigneeId: 'nobody' }), 400, 'VALIDATION_FAILED', '/query/assigneeId');
  });

  it('find the forms that named the verified address of an account when they came, in any letter case', async () => {
    const verified = await records().user(['CUSTOMER'], {
      isEmailVerified: true,
      firstName: 'Ada',
      lastName: 'Byron',
    });
    const unverified = await records().user(['CUSTOMER']);
    const own = await submit({ email: verified.email.toUpperCase() });
    const other = await submitLead({ email: unverified.email });
    const expectAccounts = async () => {
      const { body } = await list({ userId: verified.id });
      expect(body.data).to.have.lengthOf(1);
      expect(body.data[0]).to.deep.include({ id: own.id, account: { id: verified.id, name: 'Ada Byron' } });
      expect((await list({ userId: unverified.id })).body.total).to.equal(0);
    };
    await expectAccounts();
    // A form belongs to nobody who verifies or takes over its address afterwards.
    await changeEmail(verified.id);
    await changeEmail(unverified.id, verified.email);
    await records().verifyEmail(unverified.id);
    await expectAccounts();
    expect((await list()).body.data[0]).to.deep.include({ id: other.id, account: null });
  });

  it('search name, address, company and subject, without letter case and accents', async () => {
    const word = uniqueWord();
    const support = await submit({ name: `José ${word}`, subject: 'Über 100 % sicher' });
    const lead = await submitLead({
      company: `Müller ${word}`,
      email: `Box.${word}@example.com`,
      message: 'unseen',
    });
    for (const [q, ids] of [
      [`jose ${word}`, [support.id]],
      [`${word}, \u200dJOSE`, [support.id]],
      [`sicher jose`, []],
      ['UBER 100 %', [support.id]],
      [`muller ${word}`, [lead.id]],
      [`box.${word}@`, [lead.id]],
      [word, [lead.id, support.id]],
      [` ${word} `, [lead.id, support.id]],
      ['unseen', []],
      ['100 %_', []],
    ] as const)
      expect(getIds(await list({ q })), q).to.deep.equal(ids);
    expect((await list({ q: word, kind: 'lead' })).body.total).to.equal(1);
    expect(getIds(await list({ q: '' }))).to.have.lengthOf(2);
    expectError(await list({ q: 'x'.repeat(256) }), 400, 'VALIDATION_FAILED', '/query/q');
  });
});

describe('notes about a contact request', () => {
  const { service, administrator, records, submit, submitLead, get, addNote, reference } = useRequests();

  it('are listed newest first, of both kinds of forms, and recorded without their text', async () => {
    for (const create of [submit, submitLead]) {
      const { id } = await create();
      const other = await service().as('ADMIN');
      const first = await addNote(id, HOSTILE);
      expect(first.status, first.text).to.equal(201);
      expect(first.body).to.deep.include({ author: reference(administrator()) });
      const second = await addNote(id, 'Called back', other);
      expect((await get(id)).body).to.deep.include({ notes: [second.body, first.body], replies: [] });
      expect((await records().auditOf(id)).map(({ action, details }) => [action, details])).to.deep.equal([
        ['CONTACT_REQUEST_NOTE_ADDED', { noteId: first.body.id }],
        ['CONTACT_REQUEST_NOTE_ADDED', { noteId: second.body.id }],
      ]);
    }
  });

  it('need a text of 1 to 2000 characters, and a form', async () => {
    const { id } = await submit();
    for (const text of ['', ' \n', 'x'.repeat(2_001)])
      expectError(await addNote(id, text), 400, 'VALIDATION_FAILED', '/body/text');
    expect((await addNote(id, 'x'.repeat(2_000))).status).to.equal(201);
    expectError(await addNote(randomUUID(), 'A'), 404, 'CONTACT_REQUEST_NOT_FOUND');
  });

  it('are sixty within an hour about one form, whoever writes them', async () => {
    const { id } = await submitLead();
    const other = await service().as('ADMIN');
    await records().query(
      `insert into contact_entries (kind, lead_request_id, author_id, text, created_at)
       select kind, $1, $2, 'A', now() - make_interval(mins => n)
       from generate_series(1, 59) n, unnest(array['note', 'reply']) kind`,
      [id, other.id],
    );
    // Only one of two at once is the sixtieth.
    const both = await Promise.all([addNote(id, 'A'), addNote(id, 'B', other)]);
    expect(both.map(({ status }) => status)).to.have.members([201, 429]);
    const rejected = await addNote(id, 'C');
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(Number(rejected.headers['retry-after'])).to.be.within(1, 120);
    expect((await addNote((await submit()).id, 'D')).status).to.equal(201);
  });

  it('are deleted with the form, also while one is being added', async () => {
    const { id } = await submit();
    await addNote(id, 'A');
    const deletion = await holdLock(service().databaseUrl, 'delete from support_requests where id = $1', [
      id,
    ]);
    const [response] = await Promise.all([addNote(id, 'B'), deletion.commitWhenWaiting(1)]);
    expectError(response, 404, 'CONTACT_REQUEST_NOT_FOUND');
    expect(
      await records().query('select 1 from contact_entries where support_request_id = $1', [id]),
    ).to.deep.equal([]);
  });
});

describe('replies to a contact request', () => {
  const { service, administrator, records, list, submit, submitLead, get, edit, reply, ...others } =
    useRequests();
  const { findMails, changeEmail, reference } = others;

  it('are mailed as written, with the inbox as Reply-To, and change neither state nor assignee', async () => {
    const { id, email, createdAt } = await submit({ message: HOSTILE.replace('\r', '') });
    const { status, body } = await reply(id, HOSTILE.replace('\r', ''));
    expect(status).to.equal(201);
    expect(body).to.deep.include({ text: HOSTILE.replace('\r', ''), author: reference(administrator()) });
    const found = (await get(id)).body;
    expect(found).to.deep.include({ replies: [body], notes: [], assignee: null, doneAt: null });
    expect(Date.parse(found.repliedAt)).to.be.closeTo(Date.parse(body.createdAt), 1_000);
    const [{ mail, user_id } = { mail: {} }, ...others] = await findMails(email);
    expect(others).to.deep.equal([]);
    expect(user_id).to.equal(null);
    expect(mail).to.deep.equal({
      template: 'contact-reply',
      to: email,
      language: 'en',
      replyTo: 'inbox@example.com',
      text: HOSTILE.replace('\r', ''),
      subject: 'Refund',
      message: HOSTILE.replace('\r', ''),
      wroteAt: createdAt,
    });
    expect((await records().auditOf(id)).map(({ action, details }) => [action, details])).to.deep.equal([
      ['CONTACT_REQUEST_REPLIED', { replyId: body.id }],
    ]);
  });

  it('are in the language of the account, or else of the administrator, and belong to the account', async () => {
    const german = await records().user(['CUSTOMER'], { isEmailVerified: true, language: 'de' });
    const { id } = await submitLead({ email: german.email });
    await reply(id);
    const [found] = await findMails(german.email);
    expect(found?.mail).to.deep.include({ language: 'de', subject: null, message: null });
    expect(found?.user_id).to.equal(german.id);
  });

  it('are sixty within an hour for an ADMIN', async () => {
    const busy = await service().as('ADMIN');
    const { id } = await submit();
    await records().query(
      `insert into contact_entries (kind, support_request_id, author_id, text, created_at)
       select 'reply', $1, $2, 'A', now() - make_interval(mins => n) from generate_series(1, 59) n`,
      [id, busy.id],
    );
    // Only one of two at once is the sixtieth.
    const both = await Promise.all([reply(id, 'A', busy), reply(id, 'B', busy)]);
    const [sent, refused] = both.sort((one, other) => one.status - other.status);
    expect(sent?.status).to.equal(201);
    expectError(refused ?? both[0], 429, 'RATE_LIMITED');
    expect(Number(refused?.headers['retry-after'])).to.be.within(1, 120);
    expect((await reply(id)).status).to.equal(201);
    await records().query(
      `update contact_entries set created_at = created_at - interval '2 minutes' where author_id = $1`,
      [busy.id],
    );
    expect((await reply(id, 'C', busy)).status).to.equal(201);
  });

  it('need a text of 1 to 4000 characters, and a form', async () => {
    const { id } = await submit();
    for (const text of ['', ' \n', 'x'.repeat(4_001)])
      expectError(await reply(id, text), 400, 'VALIDATION_FAILED', '/body/text');
    expect((await reply(id, 'x'.repeat(4_000))).status).to.equal(201);
    expectError(await reply(randomUUID()), 404, 'CONTACT_REQUEST_NOT_FOUND');
  });

  it('are deleted with the account of the verified address, and their waiting mails with them', async () => {
    const user = await records().user(['CUSTOMER'], { isEmailVerified: true });
    const stranger = uniqueEmail();
    const [own, other] = [await submit({ email: user.email }), await submit({ email: stranger })];
    for (const { id } of [own, other]) await reply(id);
    // Sent before the address was verified.
    await records().query(`update mail_outbox set user_id = null where mail ->> 'to' = $1`, [user.email]);
    await records().deleteAccount(user.id);
    expectError(await get(own.id), 404, 'CONTACT_REQUEST_NOT_FOUND');
    expect(await findMails(user.email)).to.deep.equal([]);
    expect(await findMails(stranger)).to.have.lengthOf(1);
    const kept = await records().query(
      'select support_request_id from contact_entries where support_request_id = any($1)',
      [[own.id, other.id]],
    );
    expect(kept).to.have.lengthOf(1);
  });

  it('are deleted with an account that has changed its address, and its forms and their waiting mails', async () => {
    const [user, next] = [
      await records().user(['CUSTOMER'], { isEmailVerified: true }),
      await records().user(['CUSTOMER']),
    ];
    const own = await submit({ email: user.email });
    await submitLead({ email: user.email });
    await reply(own.id);
    // Instances of the previous release write such a reply after the address has changed.
    await records().query(`update mail_outbox set user_id = null where mail ->> 'to' = $1`, [user.email]);
    await changeEmail(user.id);
    await changeEmail(next.id, user.email);
    await records().verifyEmail(next.id);
    const kept = await submit({ email: user.email, message: 'Of the next owner' });
    await reply(kept.id);
    await records().deleteAccount(user.id);
    expect(getIds(await list())).to.deep.equal([kept.id]);
    const waiting = await records().query(
      `select coalesce(mail -> 'request', mail) ->> 'message' as message from mail_outbox where mail::text like $1`,
      [`%${user.email}%`],
    );
    expect(waiting).to.deep.equal([{ message: 'Of the next owner' }, { message: 'Of the next owner' }]);
  });

  it('of nobody is a form that comes during a deletion of the account', async () => {
    const user = await records().user(['CUSTOMER'], { isEmailVerified: true });
    const deletion = await holdLock(
      service().databaseUrl,
      'with locked as (select id from users where id = $1 for no key update) select delete_account(id) from locked',
      [user.id],
    );
    const [form] = await Promise.all([submit({ email: user.email }), deletion.commitWhenWaiting(1)]);
    expect((await get(form.id)).body.account).to.equal(null);
  });

  it('are not mailed during a deletion of the account', async () => {
    const user = await records().user(['CUSTOMER'], { isEmailVerified: true });
    const { id } = await submit({ email: user.email });
    const deletion = await holdLock(
      service().databaseUrl,
      'with locked as (select id from users where id = $1 for no key update) select delete_account(id) from locked',
      [user.id],
    );
    const [response] = await Promise.all([reply(id), deletion.commitWhenWaiting(1)]);
    expectError(response, 404, 'CONTACT_REQUEST_NOT_FOUND');
    expect(await findMails(user.email)).to.deep.equal([]);
  });

  it('name a deleted author only by id', async () => {
    const leaver = await service().as('ADMIN');
    const { id } = await submit();
    await reply(id, 'A', leaver);
    await edit(id, { isDone: true }, leaver);
    await records().removeRoles(leaver.id);
    await records().deleteAccount(leaver.id);
    const gone = { id: leaver.id, email: null, name: null };
    const { body } = await get(id);
    expect([body.replies[0].author, body.doneBy]).to.deep.equal([gone, gone]);
  });
});

import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useRequests } from '../../testing/contact-requests.ts';

describe('versions of a contact request', () => {
  const { service, administrator, records, submit, get, edit, addNote, reply, findMails, reference } =
    useRequests();
  const etagOf = async (id: string) => (await get(id)).headers['etag'] ?? '';
  const sendEntry = (id: string, kind: 'notes' | 'replies', body: object, ifMatch?: string) => {
    const call = { id, body, headers: { 'If-Match': ifMatch } };
    return kind === 'notes'
      ? administrator().addContactRequestNote(call)
      : administrator().replyToContactRequest(call);
  };
  const edited = (id: string, body: object, ifMatch: string) =>
    administrator().editContactRequest({ id, body, headers: { 'If-Match': ifMatch } });

  it('change with state, assignee, notes and replies, and with nothing else', async () => {
    const { id } = await submit();
    const seen = [await etagOf(id)];
    for (const change of [
      () => edit(id, { assigneeId: administrator().id }),
      () => addNote(id, 'A'),
      () => reply(id),
      () => edit(id, { isDone: true }),
    ]) {
      const { headers } = await change();
      expect(headers['etag']).to.match(/^"[\w-]+"$/);
      expect(await etagOf(id)).to.equal(headers['etag']);
      seen.push(String(headers['etag']));
    }
    expect(new Set(seen).size).to.equal(5);
    await edit(id, { isDone: true });
    await records().query("update users set language = 'de' where id = $1", [administrator().id]);
    expect(await etagOf(id)).to.equal(seen.at(-1));
  });

  it('that If-Match does not name refuse every change, and nothing is stored or mailed', async () => {
    const { id, email } = await submit();
    const old = await etagOf(id);
    await addNote(id, 'A colleague’s');
    const before = (await get(id)).body;
    expectError(await edited(id, { isDone: true }, old), 412, 'CHANGED_MEANWHILE');
    for (const kind of ['notes', 'replies'] as const)
      expectError(await sendEntry(id, kind, { text: 'Mine' }, old), 412, 'CHANGED_MEANWHILE');
    expect((await get(id)).body).to.deep.equal(before);
    expect(await findMails(email)).to.deep.equal([]);
    expect((await sendEntry(id, 'replies', { text: 'Mine' }, await etagOf(id))).status).to.equal(201);
  });

  it('let one of two replies with the same version be sent', async () => {
    const { id, email } = await submit();
    const etag = await etagOf(id);
    const both = await Promise.all(['One', 'Two'].map((text) => sendEntry(id, 'replies', { text }, etag)));
    expect(both.map(({ status }) => status)).to.have.members([201, 412]);
    expect(await findMails(email)).to.have.lengthOf(1);
  });

  it('let a note or reply with an id be repeated, also with an old version, and stored and mailed once', async () => {
    const { id, email } = await submit();
    const etag = await etagOf(id);
    for (const kind of ['notes', 'replies'] as const) {
      const body = { id: randomUUID(), text: 'Hello' };
      const both = await Promise.all([sendEntry(id, kind, body), sendEntry(id, kind, body)]);
      expect(both.map(({ status }) => status)).to.have.members([201, 200]);
      const again = await sendEntry(id, kind, { ...body, id: body.id.toUpperCase() }, etag);
      expect(again.status, again.text).to.equal(200);
      expect(again.body).to.deep.equal(both[0]?.body);
      expect(again.body.id).to.equal(body.id);
      expect(again.headers['etag']).to.equal(await etagOf(id));
      expect((await get(id)).body[kind]).to.have.lengthOf(1);
    }
    expect(await findMails(email)).to.have.lengthOf(1);
    expect(await records().auditOf(id)).to.have.lengthOf(2);
  });

  it('refuse the id of another text, kind or form', async () => {
    const [own, other] = [await submit(), await submit()];
    const entryId = randomUUID();
    await sendEntry(own.id, 'notes', { id: entryId, text: 'Hello' });
    for (const [form, kind, text] of [
      [own, 'notes', 'Hello Ada'],
      [own, 'replies', 'Hello'],
      [other, 'notes', 'Hello'],
    ] as const)
      expectError(await sendEntry(form.id, kind, { id: entryId, text }), 409, 'ID_TAKEN');
    expect(await findMails(own.email)).to.deep.equal([]);
  });

  it('have a history of who was given the form, finished it and opened it again', async () => {
    const { id } = await submit();
    const other = await service().as('ADMIN');
    await edit(id, { assigneeId: other.id });
    const finished = await sendEntry(id, 'replies', { text: 'Done', isDone: true });
    expect(finished.status, finished.text).to.equal(201);
    expect((await get(id)).body.doneBy).to.deep.equal(reference(administrator()));
    await edit(id, { isDone: false }, other);
    const { history } = (await get(id)).body;
    expect(
      history.map(({ action, by }: { action: string; by: { id: string } }) => [action, by.id]),
    ).to.deep.equal([
      ['reopened', other.id],
      ['done', administrator().id],
      ['assigned', administrator().id],
    ]);
  });
});

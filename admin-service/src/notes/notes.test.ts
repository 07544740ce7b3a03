import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

describe('notes about a user', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const add = (id: string, text: string) => administrator().addUserNote({ id, body: { text } });
  const list = (id: string) => administrator().listUserNotes({ id });

  it('are listed newest first, with their authors', async () => {
    const { id } = await records().user(['CUSTOMER']);
    expect((await list(id)).body).to.deep.equal({ data: [] });
    const other = await service().as('ADMIN');
    const first = await add(id, 'Blocked: three chargebacks.\nSee the mail of Monday.');
    expect(first.status).to.equal(201);
    expect(first.body).to.deep.include({
      text: 'Blocked: three chargebacks.\nSee the mail of Monday.',
      author: { id: administrator().id, email: administrator().email, name: null },
    });
    const second = await other.addUserNote({ id, body: { text: 'Unblocked' } });
    expect((await list(id)).body).to.deep.equal({ data: [second.body, first.body] });
  });

  it('name a deleted author only by id', async () => {
    const { id } = await records().user(['CUSTOMER']);
    const author = await service().as('ADMIN');
    await author.addUserNote({ id, body: { text: 'A note' } });
    await records().removeRoles(author.id);
    await records().deleteAccount(author.id);
    const [note] = (await list(id)).body.data;
    expect(note.author).to.deep.equal({ id: author.id, email: null, name: null });
  });

  it('leave an audit record without their text', async () => {
    const { id } = await records().user(['CUSTOMER']);
    const { body } = await add(id, 'A secret note');
    const [record, ...others] = await records().auditOf(id);
    expect(others).to.deep.equal([]);
    expect(record).to.deep.include({
      action: 'USER_NOTE_ADDED',
      actorId: administrator().id,
      details: { noteId: body.id },
    });
    const events = await records().query('select 1 from events where subject = $1', [id]);
    expect(events).to.deep.equal([]);
  });

  it('need a text of 1 to 2000 characters with a visible one', async () => {
    const { id } = await records().user(['CUSTOMER']);
    for (const text of ['', ' \n', 'x'.repeat(2_001), '\u202e'])
      expectError(await add(id, text), 400, 'VALIDATION_FAILED', '/body/text');
    expect((await add(id, 'x'.repeat(2_000))).status).to.equal(201);
  });

  it('are sixty within an hour about one user, whoever writes them', async () => {
    const { id } = await records().user(['CUSTOMER']);
    const other = await service().as('ADMIN');
    await records().query(
      `insert into user_notes (user_id, author_id, text, created_at)
       select $1, $2, 'A', now() - make_interval(mins => n) from generate_series(1, 59) n`,
      [id, other.id],
    );
    // Only one of two at once is the sixtieth.
    const both = await Promise.all([add(id, 'A'), other.addUserNote({ id, body: { text: 'B' } })]);
    expect(both.map(({ status }) => status)).to.have.members([201, 429]);
    const rejected = await add(id, 'C');
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(Number(rejected.headers['retry-after'])).to.be.within(1, 120);
    expect((await add((await records().user(['CUSTOMER'])).id, 'D')).status).to.equal(201);
    await records().query(
      `update user_notes set created_at = created_at - interval '2 minutes' where user_id = $1`,
      [id],
    );
    expect((await add(id, 'E')).status).to.equal(201);
  });

  it('are not added during a deletion of the account', async () => {
    const { id } = await records().user(['CUSTOMER']);
    const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [id]);
    const [response] = await Promise.all([add(id, 'A note'), deletion.commitWhenWaiting(1)]);
    expectError(response, 404, 'USER_NOT_FOUND');
    expect(await records().query('select 1 from user_notes where user_id = $1', [id])).to.deep.equal([]);
  });

  it('return 404 for an unknown and for a deleted user', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await records().deleteAccount(id);
    for (const missing of [randomUUID(), id]) {
      expectError(await list(missing), 404, 'USER_NOT_FOUND');
      expectError(await add(missing, 'A note'), 404, 'USER_NOT_FOUND');
    }
  });
});

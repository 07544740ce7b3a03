import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('project edit', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const edit = (id: string, body?: object | string, headers = {}) =>
    administrator().editProject({ id, body, headers });
  const read = async (id: string) => (await administrator().getProject({ id })).body;

  it('stores title, description and category and returns the project', async () => {
    const id = await service().records.project();
    const before = await read(id);
    const change = { title: 'A bakery’s shop', description: 'Forty products.', category: 'MOBILE' };
    const { status, body } = await edit(id, change);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...before, ...change, updatedAt: body.updatedAt });
    expect(body.updatedAt > before.updatedAt).to.equal(true);
    expect(await read(id)).to.deep.equal(body);
  });

  for (const [field, value] of Object.entries({
    title: 'Other',
    description: 'Other text',
    category: 'OTHER',
  }))
    it(`changes only ${field} when only ${field} is sent`, async () => {
      const id = await service().records.project();
      const before = await read(id);
      const { body } = await edit(id, { [field]: value });
      expect({ ...body, updatedAt: 0 }).to.deep.equal({ ...before, [field]: value, updatedAt: 0 });
    });

  it('changes nothing for {}, neither updatedAt nor the audit log', async () => {
    const id = await service().records.project();
    const before = await read(id);
    const { status, body } = await edit(id, {});
    expect({ status, body }).to.deep.equal({ status: 200, body: before });
    expect(await service().records.auditOf(id)).to.deep.equal([]);
  });

  it('audits the old and the new value of each changed field, in full length', async () => {
    const description = 'long '.repeat(18_000);
    const id = await service().records.project({ title: 'Shop', description });
    await edit(id, { title: 'Shop', description: 'Short', category: 'DATA' });
    const [record] = await service().records.auditOf(id);
    expect(record?.details).to.deep.equal({
      fields: ['description', 'category'],
      changes: { description: { from: description, to: 'Short' }, category: { from: 'WEB', to: 'DATA' } },
    });
  });

  it('changes and audits nothing when all values are unchanged', async () => {
    const id = await service().records.project();
    const before = await read(id);
    const { title, description, category } = before;
    const { status, body } = await edit(id, { title, description, category });
    expect({ status, body }).to.deep.equal({ status: 200, body: before });
    expect(await service().records.auditOf(id)).to.deep.equal([]);
  });

  it('audits the value that each of two concurrent edits replaced', async () => {
    const id = await service().records.project({ title: 'First' });
    const lock = await holdLock(service().databaseUrl, 'select 1 from projects where id = $1 for update', [
      id,
    ]);
    const both = ['Second', 'Third'].map((title) => edit(id, { title }));
    await lock.releaseWhenWaiting(2);
    for (const { status } of await Promise.all(both)) expect(status).to.equal(200);
    const titles = (await service().records.auditOf(id)).map(
      ({ details }) => (details as { changes: { title: { from: string; to: string } } }).changes.title,
    );
    // The second edit, in either order, replaced the value of the first.
    const first = titles.find(({ from }) => from === 'First');
    expect(titles).to.have.lengthOf(2);
    expect(titles.find(({ from }) => from === first?.to)?.to).to.equal((await read(id)).title);
  });

  it('has an ETag, which the owner’s profile does not change, and which If-Match compares', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const id = await records.project({ ownerId });
    const { etag = '' } = (await administrator().getProject({ id })).headers;
    await records.query("update customer_profiles set first_name = 'Grace' where user_id = $1", [ownerId]);
    const edited = await edit(id, { title: 'Other' }, { 'If-Match': etag });
    expect(edited.status).to.equal(200);
    expect(edited.headers['etag']).to.match(/^"[^"]+"$/);
    for (const body of [{ title: 'Third' }, {}])
      expectError(await edit(id, body, { 'If-Match': etag }), 412, 'CHANGED_MEANWHILE');
    expect(await read(id)).to.include({ title: 'Other' });
    await administrator().deleteProject({ id });
    const restored = await administrator().restoreProject({ id });
    const shown = await administrator().getProject({ id });
    expect(shown.headers['etag']).to.equal(restored.headers['etag']);
    expect(restored.headers['etag']).not.to.equal(edited.headers['etag']);
  });

  it('lets one of two concurrent edits with the same If-Match succeed', async () => {
    const id = await service().records.project();
    const { etag = '' } = (await administrator().getProject({ id })).headers;
    const lock = await holdLock(service().databaseUrl, 'select 1 from projects where id = $1 for update', [
      id,
    ]);
    const both = ['Second', 'Third'].map((title) => edit(id, { title }, { 'If-Match': etag }));
    await lock.releaseWhenWaiting(2);
    const responses = (await Promise.all(both)).sort((one, other) => one.status - other.status);
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 412]);
    expect(await read(id)).to.include({ title: responses[0]?.body.title });
  });

  it('returns 400 for status in the body and changes nothing', async () => {
    const id = await service().records.project();
    const before = await read(id);
    for (const body of [{ status: 'PUBLISHED' }, { title: 'Other', status: 'DRAFT' }, { status: null }])
      expectError(await edit(id, body), 400, 'VALIDATION_FAILED', '/body/status');
    expect(await read(id)).to.deep.equal(before);
  });

  for (const field of ['title', 'description'])
    it(`returns 400 for a ${field} without a visible character and changes nothing`, async () => {
      const id = await service().records.project();
      const before = await read(id);
      const response = await edit(id, { [field]: '\u00a0 \u200b \u2800' });
      expectError(response, 400, 'VALIDATION_FAILED', `/body/${field}`);
      expect(response.body.details[0].rule).to.equal('blank');
      expect(await read(id)).to.deep.equal(before);
    });

  it('returns 400 for characters that change the direction of text, and for line breaks in a title', async () => {
    const id = await service().records.project();
    for (const body of [
      { title: 'Shop\u202e' },
      { title: 'Online\nshop' },
      { description: 'A \u2067shop' },
    ]) {
      const response = await edit(id, body);
      expectError(response, 400, 'VALIDATION_FAILED', `/body/${Object.keys(body)[0]}`);
      expect(response.body.details[0].rule).to.equal('control-character');
    }
    expect((await edit(id, { description: 'A shop.\r\n\tSoon.' })).status).to.equal(200);
  });

  it('returns 400 for a field that cannot be edited, and changes nothing', async () => {
    const id = await service().records.project();
    const before = await read(id);
    for (const field of ['id', 'contractingStage', 'ownerId', 'createdAt', 'deletedAt', 'Title'])
      expectError(
        await edit(id, { title: 'Other', [field]: 'x' }),
        400,
        'VALIDATION_FAILED',
        `/body/${field}`,
      );
    expect(await read(id)).to.deep.equal(before);
  });

  it('ignores or rejects __proto__ in the body', async () => {
    const id = await service().records.project();
    const { status, body } = await edit(id, '{"__proto__":{"title":"Polluted"}}', JSON_TYPE);
    if (status === 200) expect(body.title).not.to.equal('Polluted');
    else expect(status).to.equal(400);
    expect(await read(id)).to.include({ title: 'Online shop' });
  });

  it('stores a title of 3 to 255 characters of any kind', async () => {
    const id = await service().records.project();
    for (const title of ['abc', 'x'.repeat(255), '🚀'.repeat(255), 'жук', '日本語', `'quoted' "\\%_`])
      expect((await edit(id, { title })).body.title).to.equal(title);
  });

  it('stores texts without the white space around them, and judges the minimum as it was sent', async () => {
    const id = await service().records.project();
    const { body } = await edit(id, { title: ' \u200ba ', description: '\u3000\nb\u0085' });
    expect(body).to.include({ title: 'a', description: 'b' });
    expect((await edit(id, { title: ` ${'x'.repeat(255)} ` })).body.title).to.equal('x'.repeat(255));
  });

  it('returns 400 for a shorter or longer title', async () => {
    const id = await service().records.project();
    for (const title of ['', 'ab', '🚀🚀', 'x'.repeat(256), '🚀'.repeat(256)])
      expectError(await edit(id, { title }), 400, 'VALIDATION_FAILED', '/body/title');
  });

  it('stores a description of 3 to very many characters and returns 400 for fewer', async () => {
    const id = await service().records.project();
    for (const description of ['abc', 'long'.repeat(22_000), '<script>alert(1)</script>', 'a\nb\tc'])
      expect((await edit(id, { description })).body.description).to.equal(description);
    for (const description of ['', 'ab'])
      expectError(await edit(id, { description }), 400, 'VALIDATION_FAILED', '/body/description');
  });

  it('stores a description with 20,000 distinct characters', async () => {
    const id = await service().records.project();
    const description = Array.from({ length: 20_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + index),
    ).join('');
    expect((await edit(id, { description })).status).to.equal(200);
    expect((await read(id)).description).to.equal(description);
  });

  it('returns 400 for an unknown category', async () => {
    const id = await service().records.project();
    for (const category of ['web', 'GAMES', '', 1, true])
      expectError(await edit(id, { category }), 400, 'VALIDATION_FAILED', '/body/category');
  });

  it('edits a project in any status and keeps the status', async () => {
    for (const status of ['CONTRACTING', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED']) {
      const id = await service().records.project({ status });
      const { body } = await edit(id, { title: 'Other title' });
      expect(body).to.include({ title: 'Other title', status });
    }
  });
});

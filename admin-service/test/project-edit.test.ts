import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from './admin-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('To edit a project', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const edit = (id: string, body?: object | string, headers = {}) =>
    administrator().api.patch(`/projects/${id}`, body, headers);
  const read = async (id: string) => (await administrator().api.get(`/projects/${id}`)).body;

  it('When title, description and category are given, then they are stored and the project is answered', async () => {
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
    it(`When only ${field} is given, then the other fields stay`, async () => {
      const id = await service().records.project();
      const before = await read(id);
      const { body } = await edit(id, { [field]: value });
      expect({ ...body, updatedAt: 0 }).to.deep.equal({ ...before, [field]: value, updatedAt: 0 });
    });

  it('When the body is {}, then nothing changes, not even the time, and nothing is recorded', async () => {
    const id = await service().records.project();
    const before = await read(id);
    const { status, body } = await edit(id, {});
    expect({ status, body }).to.deep.equal({ status: 200, body: before });
    expect(await service().records.auditOf(id)).to.deep.equal([]);
  });

  it('records the old and the new value of each changed field, a long description whole', async () => {
    const description = 'long '.repeat(18_000);
    const id = await service().records.project({ title: 'Shop', description });
    await edit(id, { title: 'Shop', description: 'Short', category: 'DATA' });
    const [record] = await service().records.auditOf(id);
    expect(record?.details).to.deep.equal({
      fields: ['description', 'category'],
      changes: { description: { from: description, to: 'Short' }, category: { from: 'WEB', to: 'DATA' } },
    });
  });

  it('changes and records nothing when every value is the one that the project has', async () => {
    const id = await service().records.project();
    const before = await read(id);
    const { title, description, category } = before;
    const { status, body } = await edit(id, { title, description, category });
    expect({ status, body }).to.deep.equal({ status: 200, body: before });
    expect(await service().records.auditOf(id)).to.deep.equal([]);
  });

  it('records what each of two edits at the same time replaced', async () => {
    const id = await service().records.project({ title: 'First' });
    const lock = await holdLock(service().databaseUrl, 'select 1 from projects where id = $1 for update', [
      id,
    ]);
    const both = ['Second', 'Third'].map((title) => edit(id, { title }));
    await lock.untilWaiting(2);
    await lock.release();
    for (const { status } of await Promise.all(both)) expect(status).to.equal(200);
    const titles = (await service().records.auditOf(id)).map(
      ({ details }) => (details as { changes: { title: { from: string; to: string } } }).changes.title,
    );
    // Whichever was first, the other one replaced its value.
    const first = titles.find(({ from }) => from === 'First');
    expect(titles).to.have.lengthOf(2);
    expect(titles.find(({ from }) => from === first?.to)?.to).to.equal((await read(id)).title);
  });

  it('When there is no body, then 400', async () => {
    const id = await service().records.project();
    expectError(await edit(id), 400, 'VALIDATION_FAILED');
    expectError(await edit(id, '', JSON_TYPE), 400, 'VALIDATION_FAILED');
  });

  it('When status is in the body, then 400 that names it, and nothing changes', async () => {
    const id = await service().records.project();
    const before = await read(id);
    for (const body of [{ status: 'PUBLISHED' }, { title: 'Other', status: 'DRAFT' }, { status: null }])
      expectError(await edit(id, body), 400, 'VALIDATION_FAILED', '/body/status');
    expect(await read(id)).to.deep.equal(before);
  });

  for (const field of [
    'id',
    'contractingStage',
    'owner',
    'ownerId',
    'createdAt',
    'deletedAt',
    'isDeleted',
    'Title',
  ])
    it(`When ${field} is in the body, then 400 that names it, and nothing changes`, async () => {
      const id = await service().records.project();
      const before = await read(id);
      expectError(
        await edit(id, { title: 'Other', [field]: 'x' }),
        400,
        'VALIDATION_FAILED',
        `/body/${field}`,
      );
      expect(await read(id)).to.deep.equal(before);
    });

  it('When the body speaks of __proto__, then 400 or nothing of it is kept', async () => {
    const id = await service().records.project();
    const { status, body } = await edit(id, '{"__proto__":{"title":"Polluted"}}', JSON_TYPE);
    if (status === 200) expect(body.title).not.to.equal('Polluted');
    else expect(status).to.equal(400);
    expect(await read(id)).to.include({ title: 'Online shop' });
  });

  it('When the title has 3 to 255 characters, whichever they are, then it is stored as it is', async () => {
    const id = await service().records.project();
    for (const title of [
      'abc',
      'x'.repeat(255),
      '🚀'.repeat(255),
      'жук',
      '日本語',
      '   ',
      ` 'quoted' "\\%_ `,
    ])
      expect((await edit(id, { title })).body.title).to.equal(title);
  });

  it('When the title is shorter or longer, then 400', async () => {
    const id = await service().records.project();
    for (const title of ['', 'ab', '🚀🚀', 'x'.repeat(256), '🚀'.repeat(256)])
      expectError(await edit(id, { title }), 400, 'VALIDATION_FAILED', '/body/title');
  });

  it('When the description has 3 characters or very many, then it is stored; when fewer, then 400', async () => {
    const id = await service().records.project();
    for (const description of ['abc', 'long '.repeat(18_000), '<script>alert(1)</script>', 'a\nb\tc'])
      expect((await edit(id, { description })).body.description).to.equal(description);
    for (const description of ['', 'ab'])
      expectError(await edit(id, { description }), 400, 'VALIDATION_FAILED', '/body/description');
  });

  it('When a description holds more different characters than any text, then it is stored', async () => {
    const id = await service().records.project();
    const description = Array.from({ length: 20_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + index),
    ).join('');
    expect((await edit(id, { description })).status).to.equal(200);
    expect((await read(id)).description).to.equal(description);
  });

  it('When the body is larger than 102,400 bytes, then 413', async () => {
    const id = await service().records.project();
    expectError(await edit(id, { description: 'x'.repeat(102_400) }), 413, 'BODY_TOO_LARGE');
  });

  it('When the category is none of the eight, then 400', async () => {
    const id = await service().records.project();
    for (const category of ['web', 'GAMES', '', 1, true])
      expectError(await edit(id, { category }), 400, 'VALIDATION_FAILED', '/body/category');
  });

  it('When a value is null, a list or an object, then 400', async () => {
    const id = await service().records.project();
    for (const field of ['title', 'description', 'category'])
      for (const value of [null, [], ['abc'], {}, { a: 'abc' }]) {
        const answer = await edit(id, { [field]: value });
        expectError(answer, 400, 'VALIDATION_FAILED', `/body/${field}`);
      }
  });

  it('When a text is given as a number, then it is converted to the declared type', async () => {
    const id = await service().records.project();
    expect((await edit(id, { title: 12_345 })).body.title).to.equal('12345');
  });

  it('When a text holds NUL, then 400', async () => {
    const id = await service().records.project();
    for (const field of ['title', 'description'])
      expectError(await edit(id, { [field]: 'abc\0def' }), 400, 'VALIDATION_FAILED', `/body/${field}`);
  });

  it('When the body is not an object or not JSON, then 400; when it is of another type, then 415', async () => {
    const id = await service().records.project();
    for (const body of ['null', '[]', '"abc"', '1', '{', '{"title":"abc"', "{'title':'abc'}"])
      expectError(await edit(id, body, JSON_TYPE), 400, 'VALIDATION_FAILED');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expectError(await edit(id, 'title=abc', { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('When there is no such project, then 404, whatever valid is in the body', async () => {
    for (const body of [{}, { title: 'Other' }])
      expectError(await edit(randomUUID(), body), 404, 'PROJECT_NOT_FOUND');
  });

  it('When the project is in any status, then it can be edited, and its status stays', async () => {
    for (const status of ['CONTRACTING', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED']) {
      const id = await service().records.project({ status });
      const { body } = await edit(id, { title: 'Other title' });
      expect(body).to.include({ title: 'Other title', status });
    }
  });
});

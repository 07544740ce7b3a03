import { randomUUID } from 'node:crypto';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';
import { CONTRACTING_STAGES, PROJECT_CATEGORIES, PROJECT_STATUSES } from './project.ts';

describe('project list', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = (query: Record<string, string | number | boolean> = {}) =>
    administrator().listProjects({ query });

  it('defaults to the first page of ten with the total of projects that are not deleted', async () => {
    const { records } = service();
    for (let index = 0; index < 11; index += 1) await records.project();
    await records.project({ deletedAt: new Date() });
    const { status, body } = await list();
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['data', 'total', 'page', 'perPage']);
    expect(body).to.include({ page: 1, perPage: 10 });
    expect(body.data).to.have.lengthOf(10);
    const [counted] = await records.query<{ count: number }>(
      'select count(*)::int from projects where deleted_at is null',
    );
    expect(body.total).to.equal(counted?.count);
  });

  it('returns all fields and the owner', async () => {
    const { records } = service();
    const word = uniqueWord();
    const owner = await records.user(['CUSTOMER'], { firstName: 'Grace' });
    const createdAt = minutesAgo(3);
    const fields = { title: `Shop ${word}`, description: 'Twelve products.', category: 'DESIGN' };
    const id = await records.project({ ownerId: owner.id, ...fields, status: 'PUBLISHED', createdAt });
    const [item, ...others] = (await list({ search: word })).body.data;
    expect(others).to.deep.equal([]);
    const { updatedAt, ...rest } = item;
    expect(updatedAt).to.equal(new Date(updatedAt).toISOString());
    expect(rest).to.deep.equal({
      id,
      ...fields,
      status: 'PUBLISHED',
      contractingStage: null,
      owner: { id: owner.id, email: owner.email, firstName: 'Grace', lastName: null },
      createdAt: createdAt.toISOString(),
      deletedAt: null,
    });
  });

  it('includes projects whose owner is blocked or has no customer profile', async () => {
    const { records } = service();
    const word = uniqueWord();
    for (const isBlocked of [false, true]) {
      const { id: ownerId } = await records.user([], { isBlocked });
      await records.project({ ownerId, title: word });
    }
    const { data } = (await list({ search: word })).body;
    for (const { owner } of data) expect(owner).to.include({ firstName: null, lastName: null });
    expect(data).to.have.lengthOf(2);
  });

  it('paginates newest first, then by id descending, with the total on each page', async () => {
    const { records } = service();
    const word = uniqueWord();
    const tied = minutesAgo(5);
    const twins = [await records.project({ title: word, createdAt: tied })];
    twins.push(await records.project({ title: word, createdAt: tied }));
    const newest = await records.project({ title: word, createdAt: minutesAgo(1) });
    const oldest = await records.project({ title: word, createdAt: minutesAgo(9) });
    const pages = [
      await list({ search: word, perPage: 2 }),
      await list({ search: word, perPage: 2, page: 2 }),
    ];
    expect(pages.flatMap(getIds)).to.deep.equal([newest, ...twins.sort().reverse(), oldest]);
    for (const { body } of pages) expect(body.total).to.equal(4);
    const { body } = await list({ search: word, perPage: 2, page: 3 });
    expect(body).to.deep.equal({ data: [], total: 4, page: 3, perPage: 2 });
  });

  for (const [name, values] of Object.entries({ status: PROJECT_STATUSES, category: PROJECT_CATEGORIES }))
    it(`filters rows and total by ${name}`, async () => {
      const word = uniqueWord();
      const ids = new Map<string, string>();
      for (const value of values)
        ids.set(value, await service().records.project({ title: word, [name]: value }));
      for (const value of values) {
        const response = await list({ search: word, [name]: value });
        expect(getIds(response)).to.deep.equal([ids.get(value)]);
        expect(response.body).to.include({ total: 1 });
        expect(response.body.data[0]).to.include({ [name]: value });
      }
    });

  it('combines all filters', async () => {
    const { records } = service();
    const title = uniqueWord();
    const match = await records.project({ title, status: 'DISPUTED', category: 'DATA' });
    await records.project({ title, status: 'DISPUTED', category: 'WEB' });
    await records.project({ title, status: 'DRAFT', category: 'DATA' });
    await records.project({ status: 'DISPUTED', category: 'DATA' });
    const response = await list({ search: title, status: 'DISPUTED', category: 'DATA' });
    expect(getIds(response)).to.deep.equal([match]);
    expect(response.body.total).to.equal(1);
  });

  it('returns 400 for an unknown filter value or an undeclared parameter', async () => {
    for (const value of ['draft', 'UNKNOWN', '', 'DRAFT,MODERATION']) {
      expectError(await list({ status: value }), 400, 'VALIDATION_FAILED', '/query/status');
      expectError(await list({ category: value }), 400, 'VALIDATION_FAILED', '/query/category');
    }
    for (const name of ['deleted', 'ownerId', 'contractingStage', 'isBlocked'])
      expectError(await list({ [name]: 'true' }), 400, 'VALIDATION_FAILED', `/query/${name}`);
    expectError(await list({ perPage: 101 }), 400, 'VALIDATION_FAILED', '/query/perPage');
    expectError(await list({ page: 0 }), 400, 'VALIDATION_FAILED', '/query/page');
  });
});

describe('project detail', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;

  for (const stage of CONTRACTING_STAGES)
    it(`shows the contracting stage ${stage}`, async () => {
      const id = await service().records.project({ status: 'CONTRACTING', contractingStage: stage });
      const { status, body } = await administrator().getProject({ id });
      expect(status).to.equal(200);
      expect(body).to.include({ id, status: 'CONTRACTING', contractingStage: stage });
    });

  it('database constraints reject inconsistent statuses, stages and texts', async () => {
    const { records } = service();
    const getErrorCode = async (fields: object) =>
      records.project(fields).then(
        () => 'stored',
        (error: Error) => ('code' in error ? error.code : error),
      );
    for (const status of PROJECT_STATUSES.filter((name) => name !== 'CONTRACTING'))
      expect(await getErrorCode({ status, contractingStage: 'SIGNED' }), status).to.equal('23514');
    const id = await records.project({ status: 'CONTRACTING' });
    const update = records.query('update projects set contracting_stage = null where id = $1', [id]);
    expect(
      await update.then(
        () => 'stored',
        ({ code }) => code,
      ),
    ).to.equal('23514');
    for (const fields of [{ status: 'UNKNOWN' }, { category: 'UNKNOWN' }, { title: '' }, { description: '' }])
      expect(await getErrorCode(fields)).to.equal('23514');
    expect(await getErrorCode({ status: 'CONTRACTING', contractingStage: 'UNKNOWN' })).to.equal('23514');
    expect(await getErrorCode({ ownerId: randomUUID() })).to.equal('23503');
  });
});

import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, useAdminService } from '../../testing/admin-service.ts';

describe('project deletion', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const remove = (id: string) => administrator().deleteProject({ id });
  const restore = (id: string) => administrator().restoreProject({ id });
  const readDeletion = async (id: string) => {
    const [row] = await service().records.query<{ at: Date | null; by: string | null }>(
      'select deleted_at as at, deleted_by as by from projects where id = $1',
      [id],
    );
    return row;
  };

  it('returns 204 without a body and stores time and administrator', async () => {
    const id = await service().records.project();
    const { status, text, headers } = await remove(id);
    expect({ status, text }).to.deep.equal({ status: 204, text: '' });
    expect(headers).not.to.have.property('content-type');
    const deletion = await readDeletion(id);
    expect(deletion?.by).to.equal(administrator().id);
    expect(Date.now() - Number(deletion?.at)).to.be.within(-5_000, 60_000);
  });

  it('hides a deleted project from lists, search, detail, edit and its owner’s projects', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const title = uniqueWord();
    const id = await records.project({ ownerId, title, status: 'DISPUTED', category: 'DATA' });
    const filters = [
      { search: title },
      { search: title, status: 'DISPUTED' },
      { search: title, category: 'DATA' },
    ];
    const find = (query: Record<string, string>) => administrator().listProjects({ query });
    for (const query of filters) expect(getIds(await find(query))).to.deep.equal([id]);
    const { total } = (await administrator().listProjects()).body;

    expect((await remove(id)).status).to.equal(204);
    for (const query of filters) expect((await find(query)).body).to.deep.include({ data: [], total: 0 });
    expect((await administrator().listProjects()).body.total).to.equal(total - 1);
    expectError(await administrator().getProject({ id }), 404, 'PROJECT_NOT_FOUND');
    expectError(
      await administrator().editProject({ id, body: { title: 'Other' } }),
      404,
      'PROJECT_NOT_FOUND',
    );
    expectError(await administrator().editProject({ id, body: {} }), 404, 'PROJECT_NOT_FOUND');
    expectError(await remove(id), 404, 'PROJECT_NOT_FOUND');
    expect((await administrator().getUser({ id: ownerId })).body.projects).to.deep.equal([]);
  });

  it('shows a restored project as before', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const title = uniqueWord();
    const id = await records.project({ ownerId, title, status: 'CONTRACTING' });
    const before = (await administrator().getProject({ id })).body;
    await remove(id);
    const { status, body } = await restore(id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...before, updatedAt: body.updatedAt });
    expect(body.deletedAt).to.equal(null);
    expect((await administrator().getProject({ id })).body).to.deep.equal(body);
    expect(getIds(await administrator().listProjects({ query: { search: title } }))).to.deep.equal([id]);
    expect((await administrator().getUser({ id: ownerId })).body.projects).to.have.lengthOf(1);
    expect(await readDeletion(id)).to.deep.equal({ at: null, by: null });
  });

  it('returns 200 without a change or audit record for a project that is not deleted', async () => {
    const id = await service().records.project();
    const before = (await administrator().getProject({ id })).body;
    const { status, body } = await restore(id);
    expect({ status, body }).to.deep.equal({ status: 200, body: before });
    expect(await service().records.auditOf(id)).to.deep.equal([]);
  });

  it('stores the last deletion after delete, restore and delete', async () => {
    const id = await service().records.project();
    await remove(id);
    await restore(id);
    const other = await service().as('ADMIN');
    expect((await other.deleteProject({ id })).status).to.equal(204);
    expect((await readDeletion(id))?.by).to.equal(other.id);
    const actions = (await service().records.auditOf(id)).map(({ action }) => action);
    expect(actions).to.deep.equal(['PROJECT_DELETED', 'PROJECT_RESTORED', 'PROJECT_DELETED']);
  });

  it('returns 204 once and 404 otherwise for ten concurrent deletions', async () => {
    const id = await service().records.project();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => remove(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).to.deep.equal([204, ...Array(9).fill(404)]);
    expect(await service().records.auditOf(id)).to.have.lengthOf(1);
  });

  it('returns 200 for ten concurrent restorations with one audit record', async () => {
    const id = await service().records.project({ deletedAt: new Date() });
    const responses = await Promise.all(Array.from({ length: 10 }, () => restore(id)));
    for (const { status, body } of responses) {
      expect(status).to.equal(200);
      expect(body.deletedAt).to.equal(null);
    }
    expect(await service().records.auditOf(id)).to.have.lengthOf(1);
  });
});

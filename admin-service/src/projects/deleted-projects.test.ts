import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

describe('deleted projects', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = (query: Record<string, string | number> = {}) =>
    administrator().listDeletedProjects({ query });

  it('lists deleted projects with their owner and who deleted them, until they are restored', async () => {
    const { records } = service();
    const title = uniqueWord();
    const owner = await records.user(['CUSTOMER'], { firstName: 'Grace' });
    const id = await records.project({ ownerId: owner.id, title });
    expect((await list({ search: title })).body).to.deep.equal({ data: [], total: 0, page: 1, perPage: 10 });
    expect((await administrator().deleteProject({ id })).status).to.equal(204);
    const { status, body } = await list({ search: title });
    expect([status, body.total]).to.deep.equal([200, 1]);
    const [{ deletedAt, ...project }] = body.data;
    expect(Date.parse(deletedAt)).to.be.closeTo(Date.now(), 60_000);
    expect(project).to.deep.equal({
      id,
      title,
      owner: { id: owner.id, email: owner.email, firstName: 'Grace', lastName: null },
      deletedBy: { id: administrator().id, email: administrator().email, name: null },
    });
    expect((await administrator().restoreProject({ id })).status).to.equal(200);
    expect((await list({ search: title })).body.total).to.equal(0);
  });

  it('lists the latest deletion first, and projects deleted at the same time by id, descending', async () => {
    const { records } = service();
    const title = uniqueWord();
    const latest = await records.project({ title, createdAt: minutesAgo(9), deletedAt: minutesAgo(1) });
    const tied = [];
    const deletedAt = minutesAgo(5);
    for (let count = 0; count < 3; count += 1) tied.push(await records.project({ title, deletedAt }));
    const earliest = await records.project({ title, createdAt: minutesAgo(8), deletedAt: minutesAgo(7) });
    const expected = [latest, ...tied.sort().reverse(), earliest];
    expect(getIds(await list({ search: title }))).to.deep.equal(expected);
    const all = getIds(await list({ perPage: 100 })).filter((id) => expected.includes(id));
    expect(all).to.deep.equal(expected);
    expect(getIds(await list({ search: title, perPage: 2, page: 3 }))).to.deep.equal([earliest]);
  });

  it('searches only the title', async () => {
    const word = uniqueWord();
    const deletedAt = minutesAgo(1);
    const found = await service().records.project({ title: `A 100% ${word.toUpperCase()}`, deletedAt });
    await service().records.project({ description: word, deletedAt });
    await service().records.project({ title: word });
    for (const search of [word, ` ${word} `, `00% ${word}`])
      expect(getIds(await list({ search })), search).to.deep.equal([found]);
    expect((await list({ search: `_${word}` })).body.total).to.equal(0);
  });

  it('shows deleted users without an address', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const leaver = await service().as('ADMIN');
    const title = uniqueWord();
    const id = await records.project({ ownerId, title });
    expect((await leaver.deleteProject({ id })).status).to.equal(204);
    await records.removeRoles(leaver.id);
    for (const userId of [leaver.id, ownerId]) await records.deleteAccount(userId);
    const [{ owner, deletedBy }] = (await list({ search: title })).body.data;
    expect(deletedBy).to.deep.equal({ id: leaver.id, email: null, name: null });
    expect(owner).to.deep.equal({ id: ownerId, email: 'deleted', firstName: null, lastName: null });
  });

  it('returns 400 for a filter that only other lists have', async () => {
    for (const name of ['status', 'category', 'q'])
      expectError(await list({ [name]: 'WEB' }), 400, 'VALIDATION_FAILED', `/query/${name}`);
    expectError(await list({ search: 'x'.repeat(256) }), 400, 'VALIDATION_FAILED', '/query/search');
  });
});

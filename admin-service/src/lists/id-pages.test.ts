import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { getIds, useAdminService } from '../../testing/admin-service.ts';

type Query = Record<string, string | number | readonly string[]>;

describe('lists for other services', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const client = () => createServiceClient(service().url);
  const listProjects = (query: Query = {}) => client().listProjects({ query });
  const listTeams = (query: Query = {}) => client().listTeams({ query });

  /** Follows the cursors to the end. Returns the ids of each page. */
  const readPages = async (list: typeof listTeams, query: Query): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const response = await list(cursor === undefined ? query : { ...query, cursor });
      expect(response.status, response.text).to.equal(200);
      pages.push(getIds(response));
      cursor = response.body.nextCursor as string | null;
    }
    return pages;
  };
  const createProjects = (count: number, fields = {}) =>
    Promise.all(Array.from({ length: count }, () => service().records.project(fields)));

  it('have pages in the order of the ids, deleted projects included', async () => {
    const { id: ownerId } = await service().records.user(['CUSTOMER']);
    const ids = [
      ...(await createProjects(4, { ownerId })),
      ...(await createProjects(1, { ownerId, deletedAt: new Date() })),
    ].sort();
    const query = { ownerId: ownerId.toUpperCase(), limit: 2 };
    expect(await readPages(listProjects, query)).to.deep.equal([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect((await listProjects({ ownerId, limit: 5 })).body.nextCursor).to.equal(null);
    const { body } = await listProjects({ ownerId, limit: 1 });
    expect(body.data[0]).to.deep.equal((await client().getProjectById({ id: ids[0] ?? '' })).body);
  });

  it('find what is created behind the cursor', async () => {
    const { id: ownerId } = await service().records.user(['CUSTOMER']);
    const start = randomUUID().slice(0, -1);
    const [first, between, last] = [`${start}1`, `${start}2`, `${start}3`];
    for (const id of [first, last]) await service().records.project({ id, ownerId });
    const { nextCursor: cursor } = (await listProjects({ ownerId, limit: 1 })).body;
    await service().records.project({ id: between, ownerId });
    expect(getIds(await listProjects({ ownerId, cursor }))).to.deep.equal([between, last]);
  });

  it('have filters, alone and together', async () => {
    const { id: ownerId } = await service().records.user(['CUSTOMER']);
    const [draft] = await createProjects(1, { ownerId });
    const [published] = await createProjects(1, { ownerId, status: 'PUBLISHED' });
    const read = async (query: Query) => (await readPages(listProjects, query)).flat();
    expect(await read({ ownerId, status: 'PUBLISHED' })).to.deep.equal([published]);
    expect(await read({ status: 'DRAFT' }))
      .to.include(draft)
      .and.not.include(published);
  });

  it('have the teams of an employee who is not removed, with members', async () => {
    const { employeeId } = await service().records.user(['EMPLOYEE']);
    const [active, invited, removed, suspended] = await Promise.all(
      ['ACTIVE', 'ACTIVE', 'ACTIVE', 'SUSPENDED'].map((status) => service().records.team({ status })),
    );
    for (const [team = '', status] of [
      [active, 'ACTIVE'],
      [invited, 'INVITED'],
      [removed, 'REMOVED'],
      [suspended, 'ACTIVE'],
    ] as const)
      await service().records.member(team, { employeeId, status });
    const read = async (query: Query) => (await readPages(listTeams, { employeeId, ...query })).flat();
    expect(await read({ limit: 1 })).to.have.ordered.members([active, invited, suspended].toSorted());
    expect(await read({ status: 'SUSPENDED' })).to.deep.equal([suspended]);
    const { body } = await listTeams({ employeeId });
    expect(body.data).to.deep.equal((await listTeams({ id: getIds({ body } as never) })).body.data);
  });

  it('have shorter pages of long texts', async () => {
    const { id: ownerId } = await service().records.user(['CUSTOMER']);
    const ids = (await createProjects(4, { ownerId, description: 'x'.repeat(600_000) })).sort();
    const pages = await readPages(listProjects, { ownerId });
    expect(pages).to.deep.equal([ids.slice(0, 2), ids.slice(2)]);
  });

  it('have shorter pages of teams with long texts', async () => {
    const { employeeId } = await service().records.user(['EMPLOYEE']);
    const ids = (await Promise.all(Array.from({ length: 4 }, () => service().records.team()))).sort();
    for (const id of ids) await service().records.member(id, { employeeId });
    const [bio, experience] = ['x', 'y'].map((letter) => letter.repeat(300_000));
    const update = 'update teams set bio = $2, external_experience = $3 where id = any($1)';
    await service().records.query(update, [ids, bio, experience]);
    const pages = await readPages(listTeams, { employeeId });
    expect(pages).to.deep.equal([ids.slice(0, 2), ids.slice(2)]);
  });

  it('take a cursor with any filter, and none of another list', async () => {
    await createProjects(2);
    const { nextCursor: cursor } = (await listProjects({ limit: 1 })).body;
    expect((await listProjects({ cursor, status: 'DRAFT' })).status).to.equal(200);
    const response = await listTeams({ cursor });
    expectError(response, 400, 'VALIDATION_FAILED', '/query/cursor');
    expect(response.body.details[0].rule).to.equal('cursor');
    expectError(await listProjects({ cursor: 'abc' }), 400, 'VALIDATION_FAILED', '/query/cursor');
  });

  it('reject ids beside a cursor, a limit or a filter', async () => {
    const id = await service().records.project();
    for (const [list, other] of [
      [listProjects, { limit: 1 }],
      [listProjects, { cursor: 'abc' }],
      [listProjects, { status: 'DRAFT' }],
      [listTeams, { employeeId: id }],
    ] as const) {
      const response = await list({ id, ...other });
      expectError(response, 400, 'VALIDATION_FAILED', '/query/id');
      expect(response.body.details[0].rule).to.equal('alone');
    }
  });
});

import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { getIds, useAdminService } from '../../testing/admin-service.ts';

describe('lists by ids for other services', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const client = () => createServiceClient(service().url);
  const records = () => service().records;
  const createUser = async () => (await records().user(['CUSTOMER'])).id;

  for (const [operation, create, get] of [
    ['listProjects', () => records().project(), (id: string) => client().getProjectById({ id })],
    ['listTeams', () => records().team(), (id: string) => client().getTeamById({ id })],
    ['findUsers', createUser, undefined],
  ] as const) {
    const list = (id: readonly string[], query = {}) => client()[operation]({ query: { id, ...query } });

    it(`have the order of the ids, each once, without unknown ones: ${operation}`, async () => {
      const [first, second, third] = [await create(), await create(), await create()];
      const response = await list([third, randomUUID(), first.toUpperCase(), second, third, first]);
      expect(getIds(response)).to.deep.equal([third, first, second]);
      if (!get) return;
      const single = await Promise.all([third, first, second].map(get));
      expect(response.body.data).to.deep.equal(single.map(({ body }) => body));
    });

    it(`take at most 100 ids, and nothing else: ${operation}`, async () => {
      const ids = Array.from({ length: 101 }, () => randomUUID());
      expect((await list(ids.slice(1))).body).to.deep.equal({ data: [] });
      expectError(await list(ids), 400, 'VALIDATION_FAILED', '/query/id');
      expectError(await list(['x']), 400, 'VALIDATION_FAILED', '/query/id/0');
      expectError(await list(ids.slice(1), { search: 'x' }), 400, 'VALIDATION_FAILED', '/query/search');
    });
  }

  it('include deleted projects', async () => {
    const id = await records().project({ deletedAt: new Date() });
    expect(getIds(await client().listProjects({ query: { id } }))).to.deep.equal([id]);
  });
});

import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { createRecords } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import {
  getIds,
  type RunningAdminService,
  type SignedInUser,
  startAdminService,
} from '../../testing/admin-service.ts';

/** A second database plays the replica, so that a response shows where its rows come from. */
describe('read replica of the back office', () => {
  let replica: TestDatabase;
  let proxy: InterruptibleProxy;
  let service: RunningAdminService;
  let administrator: SignedInUser;
  let replicatedUserId: string;
  before(async () => {
    replica = await createTestDatabase();
    const records = createRecords(replica.url);
    replicatedUserId = (await records.user(['CUSTOMER'])).id;
    await records.close();
    proxy = await createInterruptibleProxy(await withLoginOf('admin', replica.url));
    service = await startAdminService({ DATABASE_READ_URL: proxy.url });
    administrator = await service.as('ADMIN');
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await replica.drop();
  });

  const listUserIds = async () => {
    const response = await administrator.listUsers();
    expect(response.status).to.equal(200);
    return getIds(response);
  };

  it('serves lists, searches and the audit log', async () => {
    expect(await listUserIds()).to.deep.equal([replicatedUserId]);
    const search = await administrator.listUsers({ query: { search: 'no-such-address' } });
    expect(search.body).to.include({ total: 0 });
    await administrator.blockUser({ id: (await service.records.user(['CUSTOMER'])).id });
    expect((await administrator.listAuditLog()).body).to.deep.include({ data: [] });
  });

  it('does not serve single resources or the access check', async () => {
    const { id } = await service.records.user(['CUSTOMER']);
    expect((await administrator.getUser({ id })).body).to.include({ id });
    expect((await administrator.getUser({ id: replicatedUserId })).status).to.equal(404);
  });

  it('is replaced by the primary while it is unreachable', async () => {
    await proxy.cut();
    // The service loses its open connection to the replica; the request must still succeed.
    expect(await listUserIds()).to.include(administrator.id);
    expect(await listUserIds()).to.include(administrator.id);
  });
});

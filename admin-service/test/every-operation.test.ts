import { expectError, send } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { loadOperations, type Operation } from '../../test/openapi-operations.ts';
import { type RunningAdminService, startAdminService } from './test-admin-service.ts';

type Role = 'ADMIN' | 'OPERATOR' | 'ARBITER';

describe('every operation of the back office', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let operations: Operation[];
  before('start the service', async () => {
    redis = await createTestRedis();
    service = await startAdminService({
      SECOND_FACTOR_REQUIRED_FOR: 'ADMIN,OPERATOR,ARBITER',
      REDIS_URL: redis.url,
    });
    operations = (await loadOperations()).filter(({ name, role }) => name.startsWith('admin/') && role);
    expect(operations).to.have.length.above(15);
  });
  after('stop the service', async () => {
    await service?.stop();
    await redis?.drop();
  });

  const sendAs = ({ method, template }: Operation, token: string, query = '') =>
    send(service.url, method, template.replace(/\{\w+\}/g, '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9') + query, {
      headers: { Authorization: `Bearer ${token}` },
    });

  it('needs the current platform role', async () => {
    for (const operation of operations) {
      const { id, token } = await service.signIn(operation.role as Role, ['passkey']);
      await service.records.query('delete from user_roles where user_id = $1', [id]);
      expectError(await sendAs(operation, token), 403, 'PLATFORM_ROLE_INVALID');
    }
  });

  it('needs the second factor that the role requires', async () => {
    for (const operation of operations) {
      const { token } = await service.signIn(operation.role as Role);
      expectError(await sendAs(operation, token), 403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
    }
  });

  it('rejects an undeclared parameter', async () => {
    for (const operation of operations) {
      const { token } = await service.signIn(operation.role as Role, ['passkey']);
      expectError(await sendAs(operation, token, '?undeclared=1'), 400, 'VALIDATION_FAILED');
    }
  });
});

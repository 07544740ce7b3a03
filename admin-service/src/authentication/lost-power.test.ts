import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { loadOperations, type Operation } from '@platform/shared/testing/openapi-operations';
import { expectError, send } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import {
  type RunningAdminService,
  type SignedInUser,
  startAdminService,
} from '../../testing/admin-service.ts';

const CHANGES = (await loadOperations()).filter(({ method, role }) => role === 'ADMIN' && method !== 'GET');

const SESSION_ENDED = 'delete from token_records where user_id = $1';

describe('a change by an ADMIN who loses the power to make it', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    service = await startAdminService({ REDIS_URL: redis.url });
    await service.connected();
  });
  after('stop both', async () => {
    await service?.stop();
    await redis?.drop();
  });

  /** Unknown ids will do: the power is judged before the record. */
  const sendAs = ({ token }: SignedInUser, { method, template, body }: Operation) => {
    const path = template.replace('{secret}', 'password').replace(/\{\w+\}/g, () => randomUUID());
    const headers = { Authorization: `Bearer ${token}` };
    return send(service.url, method, path, {
      headers,
      ...(body?.isRequired && { body: body.example as object }),
    });
  };

  /** Begins the change while another transaction, which holds the lock on the ADMIN, takes the power. */
  const changeDuring = async (loss: string, operation = CHANGES[0] as Operation) => {
    const administrator = await service.as('ADMIN');
    const text = `with lost as (${loss} returning 1) select 1 from users where id = $1 for no key update`;
    const lock = await holdLock(service.databaseUrl, text, [administrator.id]);
    const changed = sendAs(administrator, operation);
    await lock.commitWhenWaiting(1);
    return await changed;
  };

  for (const operation of CHANGES)
    it(`${operation.id} waits for the end of the session, and returns 401`, async () =>
      expectError(await changeDuring(SESSION_ENDED, operation), 401, 'TOKEN_INVALID'));

  it('returns 403 after the loss of the role, and 401 after a block', async () => {
    const roleLost = await changeDuring('delete from user_roles where user_id = $1');
    expectError(roleLost, 403, 'WORKSPACE_FORBIDDEN');
    const blocked = await changeDuring('update users set is_blocked = true where id = $1');
    expectError(blocked, 401, 'USER_BLOCKED');
  });

  it('is made with a token that has been refreshed meanwhile', async () => {
    const refreshed = await changeDuring(
      'update token_records set access_token_id = gen_random_uuid(), refreshed_at = now() where user_id = $1',
    );
    expectError(refreshed, 404, 'USER_NOT_FOUND');
  });
});

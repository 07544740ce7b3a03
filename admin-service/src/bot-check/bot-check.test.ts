import { uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { type RunningAdminService, startAdminService } from '../../testing/admin-service.ts';

const FORMS = {
  '/contact/lead': { name: 'Ada' },
  '/contact/support': { subject: 'Sign-in', message: 'It fails.' },
};

// A solution that passes needs a challenge of auth-service: see its bot-check.test.ts.
describe('bot check of the contact forms', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    service = await startAdminService({
      REDIS_URL: redis.url,
      BOT_CHECK: 'altcha',
      BOT_CHECK_KEY: 'bot-check-key-of-the-tests-00000000000009',
      BOT_CHECK_COST: '1000',
    });
    await service.connected();
  });
  after('stop both', async () => {
    await service?.stop();
    await redis?.drop();
  });

  for (const [path, form] of Object.entries(FORMS))
    it(`rejects ${path} without a solution, and with a wrong one, after the validation`, async () => {
      const submit = (body: object, headers = {}) => service.withToken().send('POST', path, body, headers);
      const complete = { ...form, email: uniqueEmail() };
      expectError(await submit(complete), 403, 'BOT_CHECK_REQUIRED');
      expectError(await submit(complete, { 'X-Bot-Check': 'eyJ9' }), 403, 'BOT_CHECK_FAILED');
      expectError(await submit({ ...form, email: 'nobody' }), 400, 'VALIDATION_FAILED');
    });
});

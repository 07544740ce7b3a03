import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createPlatformClient, type ErrorCode, type PlatformClient } from '@platform/client';
import { setupServer } from 'msw/node';
import { greet } from './greet.ts';
import { GATEWAY_URL, handlers, http } from './handlers.ts';

const server = setupServer(...handlers);

describe('greeting', () => {
  let platform: PlatformClient<'customer'>;

  before(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(async () => {
    // A new client for each test, so that nobody is signed in yet.
    platform = createPlatformClient({ gatewayUrl: GATEWAY_URL, kind: 'customer' });
    await platform.signIn({ email: 'ada@example.com', password: 'Correct horse 1' });
  });
  afterEach(() => {
    platform.close();
    server.resetHandlers();
  });
  after(() => server.close());

  it('shows the first name', async () => {
    assert.equal(await greet(platform), 'Hello Ada');
  });

  it('shows a blocked customer whom to contact', async () => {
    server.use(
      http.get('/customers/auth/me', ({ response }) =>
        response(401).json({
          statusCode: 401,
          error: 'Unauthorized',
          // The documents are open to codes of later releases, so only this finds a mistyped one.
          code: 'USER_BLOCKED' satisfies ErrorCode,
          message: 'The user is blocked',
          requestId: 'b2a0c1d4-1111-4222-8333-444455556666',
        }),
      ),
    );
    assert.match(await greet(platform), /blocked/);
    assert.equal(platform.isSignedIn(), false);
  });
});

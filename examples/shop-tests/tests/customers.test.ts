import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlatformClient } from '@platform/client';
import { useTestBench } from '@platform/test-bench/node-test';

test('a blocked customer cannot sign in', async (t) => {
  const { gatewayUrl, fetch, person } = useTestBench(t);
  const { email, password = '' } = await person({ is: 'blocked' });
  const platform = createPlatformClient({ gatewayUrl, kind: 'customer', fetch });
  await assert.rejects(platform.signIn({ email, password }), { code: 'USER_BLOCKED' });
});

test('a session ends after two hours', async (t) => {
  const { gatewayUrl, fetch, person, age } = useTestBench(t);
  const { id, email, password = '' } = await person();
  const platform = createPlatformClient({ gatewayUrl, kind: 'customer', fetch });
  await platform.signIn({ email, password });
  await age({ id }, 'PT2H1S');
  await assert.rejects(platform.me(), { code: 'TOKEN_INVALID' });
});

import { createPlatformClient, isPlatformError } from '@platform/client';

const [, , gatewayUrl = 'http://localhost:3000'] = process.argv;
const platform = createPlatformClient({ gatewayUrl, kind: 'customer' });
const email = `ada-${Date.now()}@example.com`;
const password = 'correct horse battery';

await platform.signUp({ email, password, firstName: 'Ada' });
await platform.signIn({ email, password }); // keeps the tokens, and refreshes them when they expire
const { user, profile } = await platform.me();
console.log(`${profile?.firstName} is ${user.id}, with the roles ${user.roles.join(', ')}`);
await platform.signOut();

try {
  await platform.signIn({ email, password: 'wrong password' });
} catch (error) {
  if (!isPlatformError(error, 'INVALID_CREDENTIALS')) throw error;
  console.log(`${error.status} ${error.code}: ${error.message} (request ${error.requestId})`);
}

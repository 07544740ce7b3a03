import type { Fixture } from './fixture.ts';
import { testProviderAccounts } from './providers/accounts.ts';
import { testCallbacks } from './providers/callbacks.ts';
import { type Providers, withProviders } from './providers/fixture.ts';
import { testIdTokens } from './providers/id-tokens.ts';
import { testLogoutTokens } from './providers/logout-tokens.ts';
import { testPreHijackingByProvider } from './providers/pre-hijacking.ts';

/** Attacks on the sign-in with OpenID Connect: in the browser, at the provider, and by whoever was first. */
export const testProviders = async (base: Fixture, providers: Providers): Promise<void> => {
  const fixture = withProviders(base, providers);
  await testCallbacks(fixture);
  await testIdTokens(fixture);
  await testProviderAccounts(fixture);
  await testPreHijackingByProvider(fixture);
  await testLogoutTokens(fixture);
};

import {
  ADMINISTRATOR,
  accessHeaders,
  CUSTOMER,
  createAuthClient,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { type Fault, repeat, restart } from '../fault.ts';
import type { MonitoredPlatform } from '../monitored-platform.ts';

const NOTHING_TO_REPAIR = async () => undefined;

const createClient = ({ gatewayUrl }: MonitoredPlatform, kind = CUSTOMER) =>
  createAuthClient(gatewayUrl, kind, createHttpClient(gatewayUrl, { timeoutSeconds: 10 }).send);

/** Refreshes twice, and then reuses the token of the sign-in. */
const reuseTokens: Fault['inject'] = async (platform) => {
  const auth = createClient(platform);
  for (let count = 0; count < 8; count += 1) {
    const stolen = await auth.createDevice();
    await auth.refreshed(await auth.refreshed(stolen));
    await auth.refreshToken(stolen);
  }
  return NOTHING_TO_REPAIR;
};

const guessPasswords: Fault['inject'] = async (platform) => {
  const auth = createClient(platform, EMPLOYEE);
  return repeat(
    () =>
      auth.signIn({ fingerprint: uniqueFingerprint(), body: { email: uniqueEmail(), password: PASSWORD } }),
    300,
  );
};

/** Creates customers with an authenticator app and recovery codes. */
const createProtectedAccounts = async (platform: MonitoredPlatform, count: number) => {
  const auth = createClient(platform);
  const create = async () => {
    const account = await platform.records.user(['CUSTOMER'], { isEmailVerified: true });
    const { recoveryCodes } = await auth.enableTotp(await auth.openDevice(account));
    const sendSecondStep = async (proof: object): Promise<void> => {
      const fingerprint = uniqueFingerprint();
      const challenge = readChallenge(await auth.signIn({ fingerprint, body: account }));
      await auth.signInSecondFactor({ fingerprint, body: { challenge, ...proof } });
    };
    return { ...account, recoveryCodes, sendSecondStep };
  };
  return await Promise.all(Array.from({ length: count }, create));
};

const guessSecondFactors: Fault['inject'] = async (platform) => {
  for (const { sendSecondStep } of await createProtectedAccounts(platform, 8))
    for (const code of ['000000', '000001', '000002', '000003']) await sendSecondStep({ totpCode: code });
  return NOTHING_TO_REPAIR;
};

const useRecoveryCodes: Fault['inject'] = async (platform) => {
  for (const { recoveryCodes, sendSecondStep } of await createProtectedAccounts(platform, 2))
    for (const recoveryCode of recoveryCodes.slice(0, 8)) await sendSecondStep({ recoveryCode });
  return NOTHING_TO_REPAIR;
};

const resetSecondFactors: Fault['inject'] = async (platform) => {
  const administrators = createClient(platform, ADMINISTRATOR);
  const administrator = await administrators.openDevice(await platform.records.user(['ADMIN']));
  const { send } = createHttpClient(platform.gatewayUrl, { timeoutSeconds: 10 });
  for (const { id } of await createProtectedAccounts(platform, 8))
    await send({
      method: 'DELETE',
      path: `/api/v1/users/${id}/second-factor`,
      headers: accessHeaders(administrator),
    });
  return NOTHING_TO_REPAIR;
};

const loseBreachedPasswords: Fault['inject'] = async (platform) => {
  const auth = createClient(platform);
  const repair = await restart(platform, 'auth-service', {
    settings: { BREACHED_PASSWORDS_URL: 'http://127.0.0.1:1' },
  });
  const stop = repeat(() => auth.createAccount(), 3_000);
  return async () => {
    await stop();
    await repair();
  };
};

/** The provider accepts no connections. Its metadata is not cached yet, so each request needs it. */
const askProvider: Fault['inject'] = async ({ gatewayUrl }) => {
  const { send } = createHttpClient(gatewayUrl, { timeoutSeconds: 10 });
  for (let count = 0; count < 8; count += 1)
    await send({
      method: 'POST',
      path: `${CUSTOMER.path}/oidc/company/authorize`,
      headers: { 'X-Fingerprint': 'alerts' },
      body: { redirectUri: 'https://app.example.com/' },
    });
  return NOTHING_TO_REPAIR;
};

const SHARED = { sharedPlatform: 'accounts' } as const;

export const ACCOUNT_FAULTS: readonly Fault[] = [
  // This fault is first because it restarts auth-service, which would lose the counts of earlier faults.
  {
    cause: 'API of breached passwords gone',
    alerts: ['BreachedPasswordsUnchecked'],
    minutes: 17,
    ...SHARED,
    inject: loseBreachedPasswords,
  },
  {
    cause: 'stolen refresh tokens',
    alerts: ['RefreshTokensReused'],
    minutes: 1,
    ...SHARED,
    inject: reuseTokens,
  },
  {
    cause: 'guessed passwords',
    alerts: ['PasswordGuessing'],
    minutes: 12,
    ...SHARED,
    inject: guessPasswords,
  },
  {
    cause: 'guessed second factors',
    alerts: ['SecondFactorGuessing'],
    minutes: 1,
    inject: guessSecondFactors,
  },
  {
    cause: 'used recovery codes',
    alerts: ['RecoveryCodesUsed'],
    minutes: 1,
    ...SHARED,
    inject: useRecoveryCodes,
  },
  {
    cause: 'reset second factors',
    alerts: ['SecondFactorsReset'],
    minutes: 1,
    ...SHARED,
    inject: resetSecondFactors,
  },
  { cause: 'OpenID provider gone', alerts: ['OidcProviderUnavailable'], minutes: 2, inject: askProvider },
];

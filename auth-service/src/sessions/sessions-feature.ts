import { createCipher } from '@platform/shared/encryption/cipher';
import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { PasskeysFeature } from '../passkeys/passkeys-feature.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import { createChallengeStore } from '../sign-in/challenges-store.ts';
import { type CommitLink, createSecondStepService } from '../sign-in/second-step-service.ts';
import {
  createPasskeySignInService,
  createSessionOpener,
  createSignInService,
} from '../sign-in/sign-in-service.ts';
import { createAccessTokenService } from './access-token-service.ts';
import { createSessionMetrics } from './metrics-adapter.ts';
import { createProviderLogoutStore } from './provider-logouts-store.ts';
import { createProviderSessionService } from './provider-sessions-service.ts';
import { createSecondFactorRequest } from './second-factor-request-service.ts';
import { createRefreshCookie, createTokenIssuer } from './session.ts';
import { sessionRoutes, signInRoutes } from './sessions-routes.ts';
import { createSessionService } from './sessions-service.ts';
import { createAccessCheckStore } from './token-records-store.ts';

type Earlier = {
  accounts: AccountsFeature;
  passkeys: PasskeysFeature;
  secondFactor: SecondFactorFeature;
  commitLink: CommitLink;
};

export const createSessionsFeature = (
  infrastructure: Infrastructure,
  { accounts, passkeys, secondFactor, commitLink }: Earlier,
) => {
  const { config, database, redis, keys } = infrastructure;
  const tokens = createTokenIssuer(keys);
  const metrics = createSessionMetrics(
    infrastructure.metrics,
    config.oidc.providers.map(({ id }) => id),
  );
  const challenges = createChallengeStore(redis, createCipher(config.codeSecret, 'pending e-mail'));
  const openSession = createSessionOpener({ config, tokens });
  const requestSecondFactor = createSecondFactorRequest({ config, challenges });
  const providerSessions = createProviderSessionService({
    ...infrastructure,
    logouts: createProviderLogoutStore(redis),
  });
  const common = {
    ...infrastructure,
    passwords: accounts.passwords,
    assertions: passkeys.assertions,
    confirmations: secondFactor.confirmations,
    commitLink,
    tokens,
    metrics,
    challenges,
    openSession,
    requestSecondFactor,
    providerSessions,
  };
  const sessions = createSessionService(common);
  const refreshCookie = createRefreshCookie(keys);
  const { checkAccess } = createAccessCheckStore(database, config.sessionMaxAgeSeconds);
  return {
    metrics,
    openSession,
    requestSecondFactor,
    providerSessions,
    refreshCookie,
    findAccessCaller: createAccessTokenService(keys, checkAccess),
    findRefreshCaller: sessions.findRefreshCaller,
    findReader: sessions.findReader,
    routes: {
      ...signInRoutes({
        passwordSignIn: createSignInService(common),
        secondStep: createSecondStepService(common),
        passkeySignIn: createPasskeySignInService(common),
        refreshCookie,
      }),
      ...sessionRoutes(sessions, refreshCookie),
    },
  };
};

export type SessionsFeature = ReturnType<typeof createSessionsFeature>;

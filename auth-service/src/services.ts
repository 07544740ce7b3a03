import type { Background } from '@platform/shared/async/background';
import { createInTransaction, type Database } from '@platform/shared/db/database';
import { createCipher } from '@platform/shared/encryption/cipher';
import type { Log } from '@platform/shared/log/log';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import type { MailQueue } from '@platform/shared/mail/mail-queue';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { createEligibility } from './accounts/account.ts';
import { createAccountService } from './accounts/accounts-service.ts';
import { createRegistrationService } from './accounts/administrators-service.ts';
import { createBreachedPasswordLookup } from './accounts/breached-passwords.ts';
import { requireChangeAllowed } from './accounts/change-limit-service.ts';
import { readCommonPasswords } from './accounts/common-passwords.ts';
import { createIdentityService, toOwnGuess } from './accounts/identity-service.ts';
import { endEarlierSetup } from './accounts/ownership-service.ts';
import { createPasswordPolicy } from './accounts/password-policy.ts';
import { createPasswordService } from './accounts/passwords-service.ts';
import type { AuthConfig } from './config.ts';
import { CODE_LIFETIME_SECONDS, codeInvalid } from './email-codes/email-code.ts';
import { createEmailCodeService } from './email-codes/email-codes-service.ts';
import { createCodeHashers, createEmailCodeStore } from './email-codes/email-codes-store.ts';
import { composeGuessLimits } from './guess-limits/guess-limits-factory.ts';
import type { KindKeys } from './kinds.ts';
import { createEmailChangeService } from './own-account/email-change-service.ts';
import { createOwnAccountService } from './own-account/own-account-service.ts';
import { createPendingChangeStore } from './own-account/pending-changes-store.ts';
import { createAssertionService } from './passkeys/assertions-service.ts';
import { createCeremonyStore } from './passkeys/ceremonies-store.ts';
import { createPasskeyService } from './passkeys/passkeys-service.ts';
import { createWebauthn } from './passkeys/webauthn.ts';
import { createFactorChangeRecorder, recordRecoveryCodeUse } from './second-factor/factor-changes-service.ts';
import { createProofConsumer } from './second-factor/proofs-service.ts';
import { createSecondFactorService } from './second-factor/second-factor-service.ts';
import { createTotpCodes } from './second-factor/totp-codes.ts';
import { createChallengeStore } from './sessions/challenges-store.ts';
import { createNewDeviceNotice } from './sessions/new-device-notice.ts';
import { createPasskeySignInService } from './sessions/passkey-sign-in-service.ts';
import { createSecondStepService } from './sessions/second-step-service.ts';
import type { SessionMetrics } from './sessions/session-metrics.ts';
import { createSessionOpener } from './sessions/session-opener-service.ts';
import { createTokenIssuer } from './sessions/session-tokens.ts';
import { createSessionService } from './sessions/sessions-service.ts';
import { createSignInService } from './sessions/sign-in-service.ts';
import { createTokenRotation } from './sessions/token-records-store.ts';
import { createUndeliveredTokenStore } from './sessions/undelivered-tokens-store.ts';
import { createStores, type Stores } from './stores.ts';

type Dependencies = {
  database: Database;
  redis: RedisClient;
  mailQueue: MailQueue;
  config: AuthConfig;
  log: Log;
  metrics: Metrics;
  stores: Stores;
  hasher: PasswordHasher;
  keys: KindKeys;
  sessionMetrics: SessionMetrics;
  background: Background;
};

/** Its operations are not offered, and no assertion is valid. */
const WITHOUT_PASSKEYS = { rpId: '', isAllowedOrigin: () => false };

export const createServices = (dependencies: Dependencies) => {
  const { config, log, metrics, database, redis, mailQueue, stores, hasher, keys, sessionMetrics } =
    dependencies;
  const { background } = dependencies;
  const codeHashers = createCodeHashers(config.codeSecret);
  const [{ hashEmail }] = codeHashers;
  const guessLimits = composeGuessLimits({ database, redis, stores, hashEmail, background });

  const eligibility = createEligibility({ administrator: config.adminAllowedDomains });
  const common = {
    stores,
    inTransaction: createInTransaction(database, (transaction) => createStores(transaction, log)),
    hasher,
    validatePassword: createPasswordPolicy({
      isCommon: config.rejectCommonPasswords ? readCommonPasswords() : () => false,
      isBreached: createBreachedPasswordLookup({
        url: config.breachedPasswordsUrl,
        metrics,
        onError: createErrorLog(log, 'breached passwords not looked up'),
      }),
    }),
    tokens: createTokenIssuer(keys),
    metrics: sessionMetrics,
    sessionMaxAgeSeconds: config.sessionMaxAgeSeconds,
    ...guessLimits,
    runInBackground: background.run,
  };

  const accounts = createAccountService(common);
  const requireAllowedDomain = (email: string) => eligibility.requireAllowedDomain('administrator', email);
  const registration = createRegistrationService({
    ...common,
    requireAllowedDomain,
    isBootstrapOpen: config.isBootstrapOpen,
  });
  const totp = createTotpCodes(createCipher(config.secondFactorKey, 'TOTP secret'), config.productName);
  const logWarning = (message: string, details: object) => log.warn(details, message);
  const passkeyDependencies = {
    ...common,
    ceremonies: createCeremonyStore(redis),
    webauthn: createWebauthn({ ...(config.webauthn ?? WITHOUT_PASSKEYS), rpName: config.productName }),
    logWarning,
  };
  const assertions = createAssertionService(passkeyDependencies);
  const consumeProof = createProofConsumer({
    totp,
    consumePasskey: assertions.consumePasskey,
    recordRecoveryCodeUse,
  });
  const identity = createIdentityService({ ...common, consumeProof });
  const recordFactorChange = createFactorChangeRecorder(requireChangeAllowed);
  const secondFactor = createSecondFactorService({
    ...common,
    ...identity,
    totp,
    toOwnGuess,
    recordFactorChange,
  });
  const passkeys = createPasskeyService({ ...passkeyDependencies, ...identity, recordFactorChange });
  const passwords = createPasswordService({
    ...common,
    verifyCurrentPassword: identity.verifyCurrentPassword,
  });
  const emailCodes = createEmailCodeService({
    ...common,
    codes: createEmailCodeStore(redis, codeHashers),
    mailQueue,
    cipher: createCodeCipher(config.codeSecret),
    findAccount: accounts.findEligible,
    proveEmail: accounts.proveEmail,
    resetPassword: passwords.resetPassword,
  });
  const pendingChanges = createPendingChangeStore(redis, {
    cipher: createCipher(config.codeSecret, 'pending e-mail'),
    lifetimeSeconds: CODE_LIFETIME_SECONDS,
  });
  const ownAccounts = createOwnAccountService({
    ...common,
    ...identity,
    removePendingChange: pendingChanges.remove,
  });
  const emailChanges = createEmailChangeService({
    ...common,
    ...identity,
    requireAllowedDomain,
    pendingChanges,
    sendCode: emailCodes.sendEmailChangeCode,
    consumeCode: emailCodes.consumeEmailChangeCode,
    codeInvalid,
    requireChangeAllowed,
    endEarlierSetup,
  });
  const signInDependencies = {
    ...common,
    rehashPassword: passwords.rehashPassword,
    eligibility,
    challenges: createChallengeStore(redis),
    consumeProof,
    openSession: createSessionOpener({
      ...common,
      onSessionOpened: createNewDeviceNotice({ isEnabled: config.newDeviceNotice }),
    }),
    offersPasskeys: config.webauthn !== undefined,
    verifyAssertion: assertions.verifySignIn,
    recordUse: assertions.recordUse,
  };
  const signIn = createSignInService(signInDependencies);
  const secondStep = createSecondStepService(signInDependencies);
  const passkeySignIn = createPasskeySignInService(signInDependencies);
  const sessions = createSessionService({
    ...common,
    rotate: createTokenRotation(database, config.sessionMaxAgeSeconds),
    undeliveredTokens: createUndeliveredTokenStore(redis, (message, error) =>
      log.warn({ err: error }, message),
    ),
    reuseLeewaySeconds: config.reuseLeewaySeconds,
    logWarning,
  });
  return {
    accounts,
    registration,
    passwords,
    emailCodes,
    emailChanges,
    ownAccounts,
    secondFactor,
    assertions,
    passkeys,
    passkeySignIn,
    signIn,
    secondStep,
    sessions,
  };
};

export type Services = ReturnType<typeof createServices>;

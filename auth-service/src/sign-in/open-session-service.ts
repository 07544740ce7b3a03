import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AccountWithPassword } from '../accounts/account.ts';
import { toOwnAudit } from '../accounts/account-audit.ts';
import type { Kind } from '../kinds.ts';
import { toMethod } from '../oidc/oidc.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';
import type { ProviderSession, SignInDevice } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { TokenIssuer } from '../sessions/tokens.ts';
import type { SignedIn } from './sign-in.ts';

type Stores = { sessions: SessionStore; outbox: MailOutbox; audit: AuditLog };

type Dependencies = {
  config: {
    sessionMaxAgeSeconds: number | undefined;
    newDeviceNotice: boolean;
    oidc: { providers: readonly OidcProvider[] };
  };
  tokens: TokenIssuer;
};

export const createSessionOpener = ({ config, tokens }: Dependencies) => {
  /** A provider has its display name. */
  const toName = (method: SignInMethod): string =>
    config.oidc.providers.find((provider) => toMethod(provider) === method)?.name ?? method;

  /**
   * Opens the session of a sign-in whose proofs are verified, within the transaction of `stores`. Returns
   * undefined if the user is blocked, or password, factors or platform role have changed since the account
   * was read.
   */
  return async (
    stores: Stores,
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
    methods: SignInMethod[],
    provider?: ProviderSession,
  ): Promise<SignedIn | undefined> => {
    const staySignedIn = device.staySignedIn && tokens.offersStay(kind, account.roles);
    const { stayingExpiredAt, ...created } = tokens.createTokenPair(kind, config);
    const pair = staySignedIn ? { ...created, refreshTokenExpiredAt: stayingExpiredAt } : created;
    const opened = await stores.sessions.open(account, { ...device, staySignedIn }, pair, methods, provider);
    if (!opened) return undefined;
    const { session, tokenId, isNewDevice, hasSignedInBefore } = opened;
    const details = { methods, userAgent: device.userAgent, isNewDevice };
    await stores.audit.add(toOwnAudit('SIGNED_IN', { kind, account, context: device.context }, details));
    // An unverified address may belong to another person, so it gets no notice.
    if (config.newDeviceNotice && isNewDevice && hasSignedInBefore && account.isEmailVerified) {
      const { userId, email: to, language, isEmailVerified } = account;
      const { userAgent, context } = device;
      const signedInAt = session.updatedAt.toISOString();
      const client = { address: context.address, userAgent, methods: methods.map(toName) };
      const notice = { to, language, isEmailVerified, signedInAt, ...client };
      await stores.outbox.add({ template: 'new-device', ...notice }, context.requestId, userId);
    }
    return { ...tokens.signTokens(kind, account, pair), account, session, tokenId };
  };
};

export type OpenSession = ReturnType<typeof createSessionOpener>;

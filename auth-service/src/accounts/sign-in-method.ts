import { isPlatformRole } from '@platform/shared/platform/access/platform-role';
import { KIND_CONFIGS, type Kind, PROFILE_KINDS } from '../kinds.ts';
import { lastSignInMethod } from './account.ts';

/** The ways to sign in that an account has. A passkey counts only if it signs in alone. */
export type SignInMethods = { hasPassword: boolean; hasPasskey: boolean; issuers: readonly string[] };

/** The settings say which passkeys and providers can be used to sign in. */
export type OfferedMethods = {
  webauthn: object | undefined;
  oidc: { providers: readonly { issuer: string; kinds: readonly Kind[] }[] };
};

/** A user with a platform role counts as an administrator in every kind of session. */
const toKinds = (roles: readonly string[]): Kind[] =>
  roles.some(isPlatformRole)
    ? ['administrator']
    : PROFILE_KINDS.filter((kind) => roles.includes(KIND_CONFIGS[kind].profile.role));

/**
 * Call this after a removal, which the error rolls back. A provider that is no longer configured, or not for
 * the user, and passkeys where they are not offered, let nobody in.
 * @throws AppError 409 LAST_SIGN_IN_METHOD
 */
export const requireSignInMethod = (
  { hasPassword, hasPasskey, issuers }: SignInMethods,
  roles: readonly string[],
  { webauthn, oidc }: OfferedMethods,
): void => {
  const kinds = toKinds(roles);
  const usable = oidc.providers.filter((provider) => provider.kinds.some((kind) => kinds.includes(kind)));
  // A provider may name itself with or without the last slash.
  const usableIssuers = usable.map(({ issuer }) => URL.parse(issuer)?.href);
  const hasIdentity = issuers.some((issuer) => usableIssuers.includes(URL.parse(issuer)?.href));
  if (!(hasPassword || (hasPasskey && webauthn) || hasIdentity)) throw lastSignInMethod();
};

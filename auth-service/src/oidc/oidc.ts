import { notFound } from '@platform/shared/errors/app-error';

/** An account at a provider that signs in to a user's account. */
export type Identity = {
  id: string;
  /** The name in OIDC_PROVIDERS. */
  provider: string;
  /** At the provider; it proves nothing. */
  email: string | null;
  linkedAt: Date;
  lastUsedAt: Date | null;
};

export const providerNotFound = () => notFound('PROVIDER_NOT_FOUND', 'Provider not found');
export const identityNotFound = () => notFound('IDENTITY_NOT_FOUND', 'Identity not found');

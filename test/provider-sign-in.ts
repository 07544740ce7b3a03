import { openProviderBrowser } from '@platform/dev/testing/provider-browser';
import type { AuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';

export const REDIRECT_URI = 'http://localhost:4200/callback';
/** Each provider returns to an address of its own, as the platform wants it where there are several. */
const toRedirectUri = (provider: string): string => `${REDIRECT_URI}/${provider}`;

type RunningProvider = { issuer: string; clientId: string; clientSecret: string };
/** A provider and its other settings without the prefix, such as `KINDS` and `DOMAINS`. */
type ConfiguredProvider = { provider: RunningProvider; settings?: Record<string, string> };

/** Returns the settings of auth-service for providers by name. */
export const toOidcSettings = (providers: Record<string, ConfiguredProvider>): Record<string, string> => {
  const ofProvider = ([name, { provider, settings }]: [string, ConfiguredProvider]) => {
    const { issuer: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = provider;
    return Object.entries({ ISSUER, CLIENT_ID, CLIENT_SECRET, ...settings }).map(([key, value]) => [
      `OIDC_${name.toUpperCase()}_${key}`,
      value,
    ]);
  };
  return {
    OIDC_PROVIDERS: Object.keys(providers).join(','),
    ...Object.fromEntries(Object.entries(providers).flatMap(ofProvider)),
  };
};

const readAddress = (response: HttpResponse): string => {
  if (response.status === 200) return String(response.body.authorizationUrl);
  throw new Error(`No authorization URL, but ${formatStatus(response)}: ${response.text}`);
};

/**
 * Begins a sign-in, and signs in at the provider as the person `sub`. Resolves with the address to which the
 * provider returns.
 */
export const getCallback = async (
  { oidcAuthorize }: Pick<AuthClient, 'oidcAuthorize'>,
  provider: string,
  fingerprint: string,
  sub: string,
): Promise<string> => {
  const body = { redirectUri: toRedirectUri(provider) };
  const address = readAddress(await oidcAuthorize({ provider, fingerprint, body }));
  return await openProviderBrowser().signIn(address, sub);
};

/** Goes to the provider and back. */
export const signInAs = async (client: AuthClient, provider: string, sub: string): Promise<HttpResponse> => {
  const fingerprint = uniqueFingerprint();
  const callbackUrl = await getCallback(client, provider, fingerprint, sub);
  return await client.oidcSignIn({ provider, fingerprint, body: { callbackUrl } });
};

/** As `getCallback`, to link an identity to the signed-in user. */
export const getLinkCallback = async (
  { identityAuthorize }: Pick<AuthClient, 'identityAuthorize'>,
  device: Device,
  provider: string,
  sub: string,
  confirmation: object,
): Promise<string> => {
  const body = { redirectUri: toRedirectUri(provider), ...confirmation };
  const address = readAddress(await identityAuthorize({ ...device, provider, body }));
  return await openProviderBrowser().signIn(address, sub);
};

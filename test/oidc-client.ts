import { openProviderBrowser } from '@platform/dev/testing/provider-browser';
import type { AccountKind, Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { createFactorClient } from './factor-client.ts';

export const REDIRECT_URI = 'http://localhost:4200/callback';

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
 * Signs in with OpenID Connect providers, and manages identities. `sub` is the person who signs in at the
 * provider.
 */
export const createOidcClient = (kind: AccountKind, send: HttpClient['send']) => {
  const factors = createFactorClient(kind, send);
  const post = (provider: string, fingerprint: string, route: string, body: object) =>
    send({
      method: 'POST',
      path: `${kind.path}/oidc/${provider}/${route}`,
      headers: { 'X-Fingerprint': fingerprint },
      body,
    });
  const authorize = (provider: string, fingerprint: string, redirectUri = REDIRECT_URI) =>
    post(provider, fingerprint, 'authorize', { redirectUri });
  const signIn = (provider: string, fingerprint: string, callbackUrl: string) =>
    post(provider, fingerprint, 'sign-in', { callbackUrl });
  const startLink = (device: Device, provider: string, confirmation: object) =>
    factors.as(device, 'POST', `/identities/${provider}/authorize`, {
      redirectUri: REDIRECT_URI,
      ...confirmation,
    });
  /** Signs in at the provider. Resolves with the address to which the provider returns. */
  const getCallback = async (
    provider: string,
    fingerprint: string,
    sub = '',
    { redirectUri = REDIRECT_URI, browser = openProviderBrowser() } = {},
  ): Promise<string> =>
    await browser.signIn(readAddress(await authorize(provider, fingerprint, redirectUri)), sub);
  return {
    factors,
    auth: factors.auth,
    authorize,
    signIn,
    startLink,
    getCallback,
    getLinkCallback: async (device: Device, provider: string, sub = '', confirmation: object = {}) =>
      await openProviderBrowser().signIn(readAddress(await startLink(device, provider, confirmation)), sub),
    link: (device: Device, provider: string, callbackUrl: string) =>
      factors.as(device, 'POST', `/identities/${provider}`, { callbackUrl }),
    unlink: (device: Device, id: string, confirmation: object = {}) =>
      factors.as(device, 'DELETE', `/identities/${id}`, confirmation),
    /** Goes to the provider and back. */
    signInAs: async (provider: string, sub = '', fingerprint = uniqueFingerprint()) =>
      await signIn(provider, fingerprint, await getCallback(provider, fingerprint, sub)),
  };
};

export type OidcClient = ReturnType<typeof createOidcClient>;

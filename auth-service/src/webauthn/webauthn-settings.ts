import { isIP } from 'node:net';
import { ConfigError } from '@platform/shared/config/env';

export type WebauthnSettings = {
  /** The domain that passkeys are bound to. It is the domain of the frontends or a parent of it. */
  rpId: string;
  /** Whether a page of this origin may use passkeys. */
  isAllowedOrigin: (origin: string) => boolean;
};

type Variables = { NODE_ENV: string; WEBAUTHN_RP_ID: string | undefined; WEBAUTHN_ORIGINS: string[] };

/**
 * The loopback origins that the gateway's CORS allows in development. Browsers do not accept an IP address as
 * a domain.
 */
const DEVELOPMENT: WebauthnSettings = {
  rpId: 'localhost',
  isAllowedOrigin: (origin) => /^https?:\/\/localhost(?::\d{1,5})?$/.test(origin),
};

const LOCALHOST = /^(?:.+\.)?localhost$/;

/** The reason why browsers would reject the origin, if there is one. */
const findProblem = (origin: string, rpId: string): string | undefined => {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return 'is not an origin';
  const { protocol, hostname } = new URL(origin);
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) return `is not of WEBAUTHN_RP_ID, ${rpId}`;
  if (protocol !== 'https:' && !LOCALHOST.test(hostname)) return 'must use https';
  return undefined;
};

const toProblems = (variable: string, origins: readonly string[], rpId: string): string[] =>
  origins.flatMap((origin) => {
    const problem = findProblem(origin, rpId);
    return problem === undefined ? [] : [`${variable}: ${origin} ${problem}`];
  });

/**
 * Without WEBAUTHN_RP_ID and WEBAUTHN_ORIGINS, uses localhost in development and disables passkeys in
 * production.
 * @param pageOrigin the origin of the platform's own pages, which need not be listed
 * @throws ConfigError if only one of the two is set, or browsers would reject the domain or an origin
 */
export const toWebauthnSettings = (
  { NODE_ENV, WEBAUTHN_RP_ID: rpId, WEBAUTHN_ORIGINS: listed }: Variables,
  pageOrigin?: string,
): WebauthnSettings | undefined => {
  if (rpId === undefined && listed.length === 0) return NODE_ENV === 'production' ? undefined : DEVELOPMENT;
  const ofPages = pageOrigin === undefined ? [] : [pageOrigin];
  const origins = [...listed, ...ofPages];
  if (rpId === undefined || origins.length === 0)
    throw new ConfigError('WEBAUTHN_RP_ID and WEBAUTHN_ORIGINS must be set together');
  // Browsers accept only a domain.
  if (isIP(rpId)) throw new ConfigError('WEBAUTHN_RP_ID must be a domain, such as example.com');
  const problems = [
    ...toProblems('WEBAUTHN_ORIGINS', listed, rpId),
    ...toProblems('PUBLIC_URL', ofPages, rpId),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return { rpId, isAllowedOrigin: (origin) => origins.includes(origin) };
};

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { fetchWithLimits } from './limited-fetch.ts';

const COMMON_PASSWORDS = new URL('./common-passwords.txt', import.meta.url);

/**
 * Stores the list of common passwords as one string, because a Set would take many times its memory. The
 * search takes a thousandth of the time of the hash that follows.
 * @returns whether a password in lower case is in the list
 */
export const readCommonPasswords = (): ((lower: string) => boolean) => {
  const text = readFileSync(COMMON_PASSWORDS, 'latin1');
  const lines = text.slice(text.indexOf('\n\n') + 1);
  return (lower) => !lower.includes('\n') && lines.includes(`\n${lower}\n`);
};

/** Covers connect, response and body; sign-up blocks on it. */
const TIMEOUT_MILLISECONDS = 1_000;
/** The pause after a failure, so that requests do not wait for an API that is down. */
const PAUSE_MILLISECONDS = 10_000;

/** The API receives this many of the 40 characters, which thousands of passwords share. */
const PREFIX_LENGTH = 5;
const LINE = /^([0-9A-F]{35}):(\d+)$/i;

/** The body has lines `SUFFIX:COUNT`; lines with the count 0 are padding. */
const isListed = (body: string, suffix: string): boolean => {
  let isFound = false;
  for (const line of body.split('\n').filter((each) => each.trim() !== '')) {
    const [, listed = '', count] = LINE.exec(line.trim()) ?? [];
    if (count === undefined) throw new Error('The response is malformed');
    if (listed.toUpperCase() === suffix && Number(count) > 0) isFound = true;
  }
  return isFound;
};

const findInRange = async (url: string, hash: string): Promise<boolean> => {
  const response = await fetchWithLimits(`${url}/${hash.slice(0, PREFIX_LENGTH)}`, {
    // Hides the size of the response from observers of the connection.
    headers: { 'Add-Padding': 'true', 'User-Agent': 'auth-service' },
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  if (response.status !== 200) throw new Error(`The response has status ${response.status}`);
  return isListed(await response.text(), hash.slice(PREFIX_LENGTH));
};

/**
 * The reason for the log, without any part of the request. The errors of `fetch` say only that it failed;
 * their cause has the system's code.
 */
const toReason = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error('unknown');
  if (error.name === 'TimeoutError') return new Error(`No response within ${TIMEOUT_MILLISECONDS} ms`);
  const { cause } = error;
  return cause instanceof Error ? new Error(`${'code' in cause ? cause.code : cause.name}`) : error;
};

type Options = {
  /** If undefined, no password is found. */
  url: string | undefined;
  metrics: Metrics;
  onError: (error: Error) => void;
  pauseMilliseconds?: number;
};

/** Whether the password is in a published data breach; also false if the API cannot be reached. */
type IsBreached = (password: string) => Promise<boolean>;

/**
 * Looks passwords up in a k-anonymity range API (OWASP ASVS 5.0, 6.2.12): only the first five characters of
 * the SHA-1 leave the process. A failure counts as not found, is not retried, and pauses the lookups.
 */
export const createBreachedPasswordLookup = ({
  url,
  metrics,
  onError,
  pauseMilliseconds = PAUSE_MILLISECONDS,
}: Options): IsBreached => {
  if (url === undefined) return async () => false;
  const count = metrics.counter('breached_password_lookups_total', 'Lookups of new passwords by outcome', {
    outcome: ['found', 'not-found', 'unavailable', 'paused'],
  });
  let pausedUntil = 0;

  return async (password) => {
    if (performance.now() < pausedUntil) {
      count({ outcome: 'paused' });
      return false;
    }
    try {
      const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
      const isFound = await findInRange(url, hash);
      count({ outcome: isFound ? 'found' : 'not-found' });
      return isFound;
    } catch (error) {
      pausedUntil = performance.now() + pauseMilliseconds;
      count({ outcome: 'unavailable' });
      onError(toReason(error));
      return false;
    }
  };
};

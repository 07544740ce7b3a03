import { isBrowserSession } from './browser-session.ts';
import type { SignOutReason } from './session-snapshot.ts';

/**
 * The subset of the browser's `Storage` that the client uses. Its methods may return promises (React Native).
 */
export type DeviceStorage = {
  getItem: (key: string) => string | null | Promise<string | null>;
  setItem: (key: string, value: string) => unknown;
};

type SyncStorage = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
};

type SignedInSession = { id: string; updatedAt?: string };
export type SignedIn = { user: object; session: SignedInSession };

export type DeviceRecord = {
  /** Identifies the device. The platform keeps one session per user and fingerprint. */
  fingerprint: string;
  /** Increases with each change in any tab. Of two records, the one with the higher generation is valid. */
  generation: number;
  /** The generation of the newest access token, so that a tab can detect a newer one. */
  tokenGeneration?: number;
  signedIn?: SignedIn;
  /** The session ends when the browser is closed. */
  endsWithBrowser?: boolean;
  /** Has ended with the browser, and not yet at the platform. */
  closed?: SignedInSession | undefined;
  /** Set while a sign-in that outlives the browser waits for its second step. */
  stayingChallenge?: string;
  /** Why the last session ended. */
  reason?: SignOutReason;
};

/** Returns 128 random bits. `crypto.randomUUID` is missing on pages without TLS, `crypto` in React Native. */
export const randomId = (): string => {
  const bytes = new Uint8Array(16);
  const { crypto } = globalThis as { crypto?: { getRandomValues: (bytes: Uint8Array) => unknown } };
  if (crypto) crypto.getRandomValues(bytes);
  // Math.random is sufficient: the id only distinguishes devices, and the refresh token is the secret.
  else for (const index of bytes.keys()) bytes[index] = Math.random() * 256;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** In-memory storage. Clients that share one behave like tabs of one browser. */
export const createMemoryStorage = (): SyncStorage => {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value);
    },
  };
};

export type BrowserStorage = SyncStorage & { removeItem: (key: string) => void };

/** Undefined outside a browser, or if the user disabled storage. */
export const findBrowserStorage = (): SyncStorage | undefined => {
  try {
    const storage = (globalThis as { window?: { localStorage?: BrowserStorage } }).window?.localStorage;
    storage?.setItem('platform.probe', '');
    storage?.removeItem('platform.probe');
    return storage;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isSignedIn = (value: unknown): value is SignedIn =>
  isObject(value) &&
  isObject(value['user']) &&
  isObject(value['session']) &&
  typeof value['session']['id'] === 'string';

/** Any script can change the stored text, so ignore an invalid record. */
const parseRecord = (text: string | null): DeviceRecord | undefined => {
  try {
    const { fingerprint, generation, tokenGeneration, signedIn, reason, ...later } = JSON.parse(text ?? '{}');
    const { endsWithBrowser, closed, stayingChallenge } = later;
    if (typeof fingerprint !== 'string' || fingerprint === '') return undefined;
    return {
      fingerprint,
      generation: Number.isSafeInteger(generation) ? generation : 0,
      ...(typeof tokenGeneration === 'number' && { tokenGeneration }),
      ...(isSignedIn(signedIn) && { signedIn }),
      ...(endsWithBrowser && { endsWithBrowser }),
      ...(closed && { closed }),
      ...(stayingChallenge && { stayingChallenge }),
      ...(typeof reason === 'string' && { reason: reason as SignOutReason }),
    };
  } catch {
    return undefined;
  }
};

/** The session of a browser that was closed meanwhile has ended here, and names nobody any more. */
const endWithBrowser = (record: DeviceRecord): DeviceRecord => {
  const { fingerprint, generation, signedIn, endsWithBrowser } = record;
  if (!endsWithBrowser || !signedIn || isBrowserSession()) return record;
  const { session: closed } = signedIn;
  return { fingerprint, generation: Math.max(Date.now(), generation + 1), closed, reason: 'BROWSER_CLOSED' };
};

const isPromise = (value: unknown): value is Promise<string | null> => isObject(value) && 'then' in value;

/**
 * Persists everything except the tokens. Each kind has its own record and fingerprint: a user of two kinds
 * has one session per fingerprint, so with a shared fingerprint the second sign-in would end the first
 * session.
 */
export const createDevice = (storage: DeviceStorage, kind: string, fixedFingerprint?: string) => {
  const key = `platform.${kind}`;
  let isAsync = false;
  let seen: string | null | undefined;
  let writes: Promise<unknown> = Promise.resolve();
  let hasWarned = false;

  const parse = (text: string | null): DeviceRecord | undefined => {
    const record = parseRecord(text);
    return record && (fixedFingerprint ?? record.fingerprint) === record.fingerprint ? record : undefined;
  };
  /** A full storage must not prevent a sign-in. */
  const warn = (error: unknown): void => {
    // biome-ignore lint/suspicious/noConsole: the developer of the page must know, and no call fails.
    if (!hasWarned) console.warn(error);
    hasWarned = true;
  };
  const save = (record: DeviceRecord): void => {
    const text = JSON.stringify(record);
    if (isAsync) {
      writes = writes.catch(() => undefined).then(() => storage.setItem(key, text));
      writes.catch(warn);
      return;
    }
    try {
      storage.setItem(key, text);
      seen = text;
    } catch (error) {
      seen = storage.getItem(key) as string | null;
      warn(error);
    }
  };
  const parseOrCreate = (text: string | null): DeviceRecord => {
    const record = parse(text) ?? { fingerprint: fixedFingerprint ?? randomId(), generation: 0 };
    const current = endWithBrowser(record);
    if (JSON.stringify(current) !== text) save(current);
    return current;
  };
  return {
    key,
    parse,
    save,
    /** Reads the record for the first time; returns a promise if the storage is asynchronous. */
    load: (): DeviceRecord | Promise<DeviceRecord> => {
      const text = storage.getItem(key);
      isAsync = isPromise(text);
      return isPromise(text) ? Promise.resolve(text).then(parseOrCreate) : parseOrCreate(text);
    },
    /** Undefined if the record is unchanged, missing or invalid, or if the storage is asynchronous. */
    readChange: (): DeviceRecord | undefined => {
      if (isAsync) return undefined;
      const text = storage.getItem(key) as string | null;
      if (text === seen) return undefined;
      seen = text;
      return parse(text);
    },
    /** Resolves when an asynchronous storage has stored the latest change; rejects if it failed. */
    saved: (): Promise<unknown> => writes,
  };
};

export type Device = ReturnType<typeof createDevice>;

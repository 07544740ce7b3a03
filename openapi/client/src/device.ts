/** The subset of the browser's `Storage` that the client uses. */
export type DeviceStorage = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
};

export type DeviceRecord = {
  /** Identifies the device: the platform keeps one session per user and fingerprint. */
  fingerprint: string;
  /** Of the signed-in user. */
  sessionId?: string;
  /** Of the newest access token. It increases with each one, so that a tab can detect a newer token. */
  generation?: number;
};

/** 128 random bits. `crypto.randomUUID` is not available on a page without TLS. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** In-memory storage. Clients that share one behave like the tabs of one browser. */
export const createMemoryStorage = (): DeviceStorage => {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value);
    },
  };
};

type BrowserStorage = DeviceStorage & { removeItem: (key: string) => void };

/** Undefined outside a browser, and when the user has disabled storage. */
export const findBrowserStorage = (): DeviceStorage | undefined => {
  try {
    const storage = (globalThis as { window?: { localStorage?: BrowserStorage } }).window?.localStorage;
    storage?.setItem('platform.probe', '');
    storage?.removeItem('platform.probe');
    return storage;
  } catch {
    return undefined;
  }
};

/** Any script can change the stored text, so an invalid record is ignored. */
const parseRecord = (text: string | null): DeviceRecord | undefined => {
  try {
    const { fingerprint, sessionId, generation } = JSON.parse(text ?? '{}');
    if (typeof fingerprint !== 'string' || fingerprint === '') return undefined;
    return {
      fingerprint,
      ...(typeof sessionId === 'string' && { sessionId }),
      ...(typeof generation === 'number' && { generation }),
    };
  } catch {
    return undefined;
  }
};

/**
 * Persists everything except the tokens. Each kind has its own record and fingerprint: a user of two kinds has one session
 * per fingerprint, so a shared one would let the second sign-in end the first session.
 */
export const createDevice = (storage: DeviceStorage, kind: string, fixedFingerprint?: string) => {
  const key = `platform.${kind}`;
  const load = () => parseRecord(storage.getItem(key));
  const save = (record: DeviceRecord) => storage.setItem(key, JSON.stringify(record));
  const read = (): DeviceRecord => {
    const record = load();
    if (record && (fixedFingerprint ?? record.fingerprint) === record.fingerprint) return record;
    save({ fingerprint: fixedFingerprint ?? randomId() });
    // Two tabs may write at the same time: read again, so that both use the last record.
    return load() ?? { fingerprint: fixedFingerprint ?? randomId() };
  };
  return {
    read,
    save,
    forgetSession: () => save({ fingerprint: read().fingerprint }),
  };
};

export type Device = ReturnType<typeof createDevice>;

/** The part of the browser's `Storage` that is needed. */
export type DeviceStorage = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
};

export type DeviceRecord = {
  /** Names the device to the platform: one session a user and fingerprint. */
  fingerprint: string;
  /** Of who is signed in here. */
  sessionId?: string;
  /** Of the newest access token; rises with each, so that a tab sees that another was faster. */
  generation?: number;
};

/** 128 random bits. `crypto.randomUUID` would be missing on a page without TLS. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** For as long as the client lives. Clients that share one are like the tabs of one browser. */
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

/** Undefined outside a browser's page, and where the user forbids it. */
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

/** The stored text is anybody's to change: what is no record counts as none. */
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
 * What outlives the page: everything but the tokens. A record for each kind, since one user of two kinds has one session
 * a fingerprint, and the second sign-in would end the first.
 */
export const createDevice = (storage: DeviceStorage, kind: string, fixedFingerprint?: string) => {
  const key = `platform.${kind}`;
  const load = () => parseRecord(storage.getItem(key));
  const save = (record: DeviceRecord) => storage.setItem(key, JSON.stringify(record));
  const read = (): DeviceRecord => {
    const record = load();
    if (record && (fixedFingerprint ?? record.fingerprint) === record.fingerprint) return record;
    save({ fingerprint: fixedFingerprint ?? randomId() });
    // Of two tabs opened at once one wrote last: both take that one's.
    return load() ?? { fingerprint: fixedFingerprint ?? randomId() };
  };
  return {
    read,
    save,
    forgetSession: () => save({ fingerprint: read().fingerprint }),
  };
};

export type Device = ReturnType<typeof createDevice>;

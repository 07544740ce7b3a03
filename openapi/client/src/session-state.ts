import { type AccessToken, getRenewalTime } from './access-token.ts';
import type { Device, DeviceRecord, SignedIn } from './device.ts';
import type { RefreshFailure } from './platform-error.ts';
import { type SessionSnapshot, type SignOutReason, toSnapshot, UNKNOWN_SESSION } from './session-snapshot.ts';
import type { TabChannel, TabListeners } from './tab-channel.ts';

export type Message = {
  record: DeviceRecord;
  token?: AccessToken;
  failure?: RefreshFailure;
  /** A new tab needs the access token. */
  isRequest?: boolean;
};

type Dependencies = {
  device: Device;
  /** Undefined if no other tab uses the same storage. */
  connect?: ((fingerprint: string, listeners: TabListeners<Message>) => TabChannel<Message>) | undefined;
  /** Called after each change. */
  onChange: (before: SessionSnapshot, now: SessionSnapshot) => void;
  /** Called when a refresh of another tab has failed. */
  onRefreshFailed?: (failure: RefreshFailure) => void;
};

/** How long a page without other tabs waits before its first refresh. A busy tab may take longer. */
const SHARED_TOKEN_MILLISECONDS = 50;

const NOT_LOADED: DeviceRecord = { fingerprint: '', generation: -1 };

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Two tabs may write with the same generation, and each tab must choose the same record. */
const isNewer = (next: DeviceRecord, known: DeviceRecord): boolean =>
  next.generation === known.generation
    ? JSON.stringify(next) > JSON.stringify(known)
    : next.generation > known.generation;

/**
 * The newest record of all tabs, and its access token. A message between processes can arrive before the
 * storage has changed (https://github.com/whatwg/html/issues/403), so records from either source are ordered
 * by generation.
 */
export const createSessionState = ({ device, connect, onChange, onRefreshFailed }: Dependencies) => {
  let record = NOT_LOADED;
  let snapshot: SessionSnapshot = UNKNOWN_SESSION;
  let isAuthor = false;
  let isClosed = false;
  let token: AccessToken | undefined;
  let channel: TabChannel<Message> | undefined;
  let isTokenRequested = false;
  const tokenListeners = new Set<(token: AccessToken) => void>();

  const acceptToken = (next: AccessToken | undefined): void => {
    if (!next || next.sessionId !== record.signedIn?.session.id) return;
    if (token && token.generation >= next.generation) return;
    token = next;
    for (const onToken of tokenListeners) onToken(next);
  };

  const replaceRecord = (next: DeviceRecord, isOwn: boolean): void => {
    record = next;
    isAuthor = isOwn;
    if (token?.sessionId !== next.signedIn?.session.id) token = undefined;
    const [before, now] = [snapshot, toSnapshot(next)];
    if (isSame(now, before)) return;
    snapshot = now;
    onChange(before, now);
  };

  const adopt = (next: DeviceRecord, nextToken?: AccessToken): void => {
    if (isNewer(next, record)) replaceRecord(next, false);
    acceptToken(nextToken);
  };

  const adoptStored = (stored: DeviceRecord | undefined): void => {
    if (!stored) return;
    // A delayed write of another tab has replaced the newest record. Only the tab that wrote that record
    // restores it.
    if (isAuthor && isNewer(record, stored)) device.save(record);
    else adopt(stored);
  };

  const sync = (): DeviceRecord => {
    if (record !== NOT_LOADED) adoptStored(device.readChange());
    return record;
  };

  const publish = (next: DeviceRecord, nextToken?: AccessToken): void => {
    device.save(next);
    channel?.post({ record: next, ...(nextToken && { token: nextToken }) });
    replaceRecord(next, true);
    acceptToken(nextToken);
  };

  const nextGeneration = (): number => Math.max(Date.now(), sync().generation + 1);
  const findSession = (): SignedIn['session'] | undefined => sync().signedIn?.session;

  const change = (fields: Pick<DeviceRecord, 'signedIn' | 'closed' | 'stayingChallenge'>): void =>
    publish({ ...sync(), generation: nextGeneration(), ...fields });

  const saveSession = (
    signedIn: SignedIn,
    token: string,
    endsWithBrowser = false,
    fingerprint = sync().fingerprint,
  ): void => {
    const generation = nextGeneration();
    const sessionId = signedIn.session.id;
    const ends = endsWithBrowser && { endsWithBrowser };
    publish(
      { fingerprint, generation, tokenGeneration: generation, signedIn, ...ends },
      { token, sessionId, generation, renewAt: getRenewalTime(token) },
    );
  };

  const waitForToken = (before: AccessToken | undefined, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      if (token !== before) return resolve(true);
      const arrived = () => resolve(true);
      tokenListeners.add(arrived);
      setTimeout(() => {
        tokenListeners.delete(arrived);
        resolve(false);
      }, milliseconds);
    });

  const shareToken = (): void => {
    if (token && token.renewAt > Date.now()) channel?.post({ record, token });
  };

  /** A refresh would replace the token of the other tabs, whose calls in flight would then fail. */
  const requestSharedToken = (): void => {
    isTokenRequested = record.signedIn !== undefined && channel?.post({ record, isRequest: true }) === true;
  };

  const open = (loaded: DeviceRecord): void => {
    const { reason: _ofAnEarlierPage, ...current } = loaded;
    record = loaded;
    snapshot = toSnapshot(loaded.closed ? loaded : current);
    if (!isClosed)
      channel = connect?.(loaded.fingerprint, {
        onMessage: (message) => {
          adopt(message.record, message.token);
          if (message.failure) onRefreshFailed?.(message.failure);
          if (message.isRequest) shareToken();
        },
        onStored: (text) => (text === undefined ? void sync() : adoptStored(device.parse(text))),
      });
    requestSharedToken();
  };

  const loading = device.load();
  const ready =
    loading instanceof Promise
      ? loading.then((loaded) => {
          open(loaded);
          onChange(UNKNOWN_SESSION, snapshot);
        })
      : open(loading);
  // Prevents an unhandled rejection; each call that awaits `ready` gets the error.
  ready?.catch(() => undefined);

  return {
    /** Undefined unless the storage is asynchronous. */
    ready,
    saved: device.saved,
    record: sync,
    session: findSession,
    /** The session that the listeners know, without reading the storage. */
    knownSessionId: (): string | undefined => record.signedIn?.session.id,
    snapshot: (): SessionSnapshot => {
      sync();
      return snapshot;
    },
    token: (): AccessToken | undefined => {
      sync();
      return token;
    },
    saveSession,
    /** Ignored if the session has ended since the refresh began. */
    saveToken: (sessionId: string, token: string): void => {
      const { signedIn, endsWithBrowser } = sync();
      if (signedIn?.session.id === sessionId) saveSession(signedIn, token, endsWithBrowser);
    },
    /** Saves new data of the user or session; ignored if it belongs to another session. */
    update: (signedIn: SignedIn): void => {
      const current = sync();
      if (current.signedIn?.session.id !== signedIn.session.id || isSame(current.signedIn, signedIn)) return;
      change({ signedIn });
    },
    /** Ignored unless it is the current session. */
    end: (sessionId: string, reason: SignOutReason): void => {
      if (findSession()?.id !== sessionId) return;
      const generation = nextGeneration();
      publish({ fingerprint: record.fingerprint, generation, reason });
    },
    change,
    postFailure: (failure: RefreshFailure): void => void channel?.post({ record, failure }),
    /** Calls the listener with each newer token, from any tab, until the returned function is called. */
    onToken: (listener: (token: AccessToken) => void): (() => void) => {
      tokenListeners.add(listener);
      return () => tokenListeners.delete(listener);
    },
    /** Resolves with whether another tab's token replaces `before` in time. */
    waitForToken,
    /** Resolves when another tab has shared its token, or none has done so in time. Waits only once. */
    waitForSharedToken: async (): Promise<void> => {
      if (isTokenRequested) await waitForToken(undefined, SHARED_TOKEN_MILLISECONDS);
      isTokenRequested = false;
    },
    close: (): void => {
      isClosed = true;
      channel?.close();
    },
  };
};

export type SessionState = ReturnType<typeof createSessionState>;

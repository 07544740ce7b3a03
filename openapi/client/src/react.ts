import { useSyncExternalStore } from 'react';
import type { Kind } from './kinds.ts';
import { type SessionSnapshot, UNKNOWN_SESSION } from './session-snapshot.ts';

type SessionStore<K extends Kind> = {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => SessionSnapshot<K>;
};

const getServerSnapshot = (): SessionSnapshot<never> => UNKNOWN_SESSION;

/** The session of the client; renders again when it changes in any tab. On a server its status is `unknown`. */
export const usePlatformSession = <K extends Kind>(client: SessionStore<K>): SessionSnapshot<K> =>
  useSyncExternalStore<SessionSnapshot<K>>(client.subscribe, client.getSnapshot, getServerSnapshot);

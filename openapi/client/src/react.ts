import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Kind } from './kinds.ts';
import type { PlatformClient } from './platform-client.ts';
import { type SessionSnapshot, UNKNOWN_SESSION } from './session-snapshot.ts';

type SessionStore<K extends Kind> = Pick<
  PlatformClient<K>,
  'subscribe' | 'getSnapshot' | 'isSignedIn' | 'me' | 'ready'
>;
/** The result of `readSession` of `@platform/client/server` for this page. */
type ServerSession<K extends Kind> = { initial: SessionSnapshot<K> };

/**
 * Compares the server's session with the browser's. They differ if the platform ended the session and this
 * browser has not noticed yet. A browser that lost its storage but not its cookie has to sign in again: the
 * platform does not tell a token which fingerprint belongs to it.
 */
const checkSession = async <K extends Kind>(client: SessionStore<K>, server: SessionSnapshot<K>) => {
  if (server.status === 'unknown') return;
  await client.ready;
  const local = client.getSnapshot().session?.id;
  if (local === server.session?.id) return;
  if (client.isSignedIn()) await client.me();
};

/**
 * Returns the session of the client and re-renders when it changes in any tab. On a server and until
 * hydration, returns the session of `serverSession`, or `unknown` if there is none.
 */
export const usePlatformSession = <K extends Kind>(
  client: SessionStore<K>,
  serverSession?: ServerSession<K>,
): SessionSnapshot<K> => {
  const [server] = useState<SessionSnapshot<K>>(() => serverSession?.initial ?? UNKNOWN_SESSION);
  const local = useSyncExternalStore(client.subscribe, client.getSnapshot, () => server);
  // A component that is mounted later must not render the server's session, which may have ended since.
  const [isCurrent, setCurrent] = useState(() => !serverSession || local !== server);
  useEffect(() => {
    if (isCurrent) return;
    void checkSession(client, server)
      .catch(() => undefined)
      .then(() => setCurrent(true));
  }, [client, server, isCurrent]);
  return isCurrent ? local : server;
};

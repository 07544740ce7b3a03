import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Kind } from './kinds.ts';
import type { PlatformClient } from './platform-client.ts';
import { getSession } from './session.ts';
import { type SessionSnapshot, UNKNOWN_SESSION } from './session-snapshot.ts';

type SessionStore<K extends Kind> = Pick<
  PlatformClient<K>,
  'subscribe' | 'getSnapshot' | 'isSignedIn' | 'me' | 'ready'
>;
/** What `readSession` of `@platform/client/server` has returned for this page. */
type ServerSession<K extends Kind> = { initial: SessionSnapshot<K> };

/**
 * The platform may have ended the session, for example by a block, and this browser has not noticed yet; or the browser has
 * lost what it stored, but not the cookie.
 */
const checkSession = async <K extends Kind>(client: SessionStore<K>, server: SessionSnapshot<K>) => {
  if (server.status === 'unknown') return;
  await client.ready;
  const local = client.getSnapshot().session?.id;
  if (local === server.session?.id) return;
  const { state } = getSession(client);
  // A browser that has signed out has a record of it, and a cookie if it could not tell the platform.
  const isNew = state.record().generation === 0;
  if (isNew && server.status === 'signed-in')
    state.adoptSession({ user: server.user, session: server.session });
  if (client.isSignedIn()) await client.me();
};

/**
 * The session of the client; renders again when it changes in any tab. On a server and until the page is hydrated it is that
 * of `serverSession`, or `unknown` without one.
 */
export const usePlatformSession = <K extends Kind>(
  client: SessionStore<K>,
  serverSession?: ServerSession<K>,
): SessionSnapshot<K> => {
  const [server] = useState<SessionSnapshot<K>>(() => serverSession?.initial ?? UNKNOWN_SESSION);
  const local = useSyncExternalStore(client.subscribe, client.getSnapshot, () => server);
  // A component that is mounted later never renders the server's session, which may have ended since.
  const [isCurrent, setCurrent] = useState(() => !serverSession || local !== server);
  useEffect(() => {
    if (isCurrent) return;
    void checkSession(client, server)
      .catch(() => undefined)
      .then(() => setCurrent(true));
  }, [client, server, isCurrent]);
  return isCurrent ? local : server;
};

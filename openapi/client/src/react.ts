import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Kind } from './kinds.ts';
import type { SignedInAs } from './named-types.ts';
import type { PlatformClient } from './platform-client.ts';
import { type SessionSnapshot, toSnapshot, UNKNOWN_SESSION } from './session-snapshot.ts';

type SessionStore<K extends Kind> = Pick<PlatformClient<K>, 'subscribe' | 'getSnapshot' | 'me'>;
/** What `readSession` of `@platform/client/server` has returned for this page. */
type ServerSession<K extends Kind> = { initial: SignedInAs<K> | undefined };

/** The platform may have ended the session, for example by a block, and this browser has not noticed yet. */
const checkSession = async <K extends Kind>(client: SessionStore<K>, server: SessionSnapshot<K>) => {
  const local = client.getSnapshot();
  if (local.session && local.session.id !== server.session?.id) await client.me().catch(() => undefined);
};

/**
 * The session of the client; renders again when it changes in any tab. On a server and until the page is hydrated it is that
 * of `serverSession`, or `unknown` without one.
 */
export const usePlatformSession = <K extends Kind>(
  client: SessionStore<K>,
  serverSession?: ServerSession<K>,
): SessionSnapshot<K> => {
  const [server] = useState<SessionSnapshot<K>>(() =>
    serverSession ? toSnapshot<K>({ signedIn: serverSession.initial }) : UNKNOWN_SESSION,
  );
  const local = useSyncExternalStore(client.subscribe, client.getSnapshot, () => server);
  // A component that is mounted later never renders the server's session, which may have ended since.
  const [isCurrent, setCurrent] = useState(() => !serverSession || local !== server);
  useEffect(() => {
    if (!isCurrent) void checkSession(client, server).then(() => setCurrent(true));
  }, [client, server, isCurrent]);
  return isCurrent ? local : server;
};

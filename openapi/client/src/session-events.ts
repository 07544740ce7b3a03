import type { Kind, SessionOf, UserOf } from './kinds.ts';
import type { SessionSnapshot, SignOutReason } from './session-snapshot.ts';

/** Each event is of this tab or another. */
export type SessionEvents<K extends Kind = Kind> = {
  'signed-in': { user: UserOf<K>; session: SessionOf<K> };
  /** New data of the same user, such as a verified e-mail. */
  'user-changed': { user: UserOf<K> };
  'signed-out': { reason: SignOutReason };
};
export type EventName = keyof SessionEvents;
type Listener = (ended?: SignOutReason) => void;

const findEvent = (
  name: EventName,
  before: SessionSnapshot,
  now: SessionSnapshot,
  reason: SignOutReason | undefined,
): object | undefined => {
  if (name === 'signed-out') return reason && { reason };
  if (now.status !== 'signed-in' || before.status === 'unknown') return undefined;
  const { user, session } = now;
  if (session.id !== before.session?.id) return name === 'signed-in' ? { user, session } : undefined;
  const isChanged = JSON.stringify(user) !== JSON.stringify(before.user);
  return name === 'user-changed' && isChanged ? { user } : undefined;
};

/** Derives the events from the snapshots, which a listener of `addListener` sees at each change. */
export const createEvents =
  <K extends Kind>(getSnapshot: () => SessionSnapshot, addListener: (listener: Listener) => () => void) =>
  <Name extends EventName>(name: Name, listener: (event: SessionEvents<K>[Name]) => void): (() => void) => {
    let known = getSnapshot();
    return addListener((reason) => {
      const before = known;
      known = getSnapshot();
      const event = findEvent(name, before, known, reason);
      if (event) listener(event as SessionEvents<K>[Name]);
    });
  };

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

/** What happened between two snapshots, in its order: a session ends before the next one begins. */
export const findEvents = (before: SessionSnapshot, now: SessionSnapshot): [EventName, object][] => {
  if (before.status === 'unknown' || now.status === 'unknown') return [];
  const { user, session } = now;
  if (session && session.id === before.session?.id)
    return JSON.stringify(user) === JSON.stringify(before.user) ? [] : [['user-changed', { user }]];
  const reason = session ? 'SIGNED_IN_AS_ANOTHER' : (now.reason ?? 'SIGNED_OUT');
  const events: [EventName, object][] = [];
  if (before.session) events.push(['signed-out', { reason }]);
  if (session) events.push(['signed-in', { user, session }]);
  return events;
};

type Listener = (event: object) => void;

/** The listeners of a client. */
export const createEvents = <K extends Kind>() => {
  const listeners: Record<EventName | 'change', Set<Listener>> = {
    'signed-out': new Set(),
    'signed-in': new Set(),
    'user-changed': new Set(),
    change: new Set(),
  };
  const add = (name: EventName | 'change', listener: Listener): (() => void) => {
    listeners[name].add(listener);
    return () => {
      listeners[name].delete(listener);
    };
  };
  // Asynchronous, so that an error of a listener is reported and does not fail the call.
  const emit = (name: EventName | 'change', event: object): void => {
    for (const listener of listeners[name]) queueMicrotask(() => listener(event));
  };
  return {
    onChange: (before: SessionSnapshot, now: SessionSnapshot): void => {
      for (const [name, event] of findEvents(before, now)) emit(name, event);
      emit('change', now);
    },
    on: <Name extends EventName>(name: Name, listener: (event: SessionEvents<K>[Name]) => void) =>
      add(name, listener as Listener),
    subscribe: (listener: () => void) => add('change', () => listener()),
  };
};

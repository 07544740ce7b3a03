import type { Kind, SessionOf, UserOf } from './kinds.ts';
import type { SessionSnapshot, SignOutReason } from './session-snapshot.ts';

/** Each event happened in this tab or another. */
export type SessionEvents<K extends Kind = Kind> = {
  'signed-in': { user: UserOf<K>; session: SessionOf<K> };
  /** New data of the same user, such as a verified e-mail. */
  'user-changed': { user: UserOf<K> };
  'signed-out': { reason: SignOutReason };
};
export type EventName = keyof SessionEvents;

/** Returns the events between two snapshots in order: a session ends before the next one begins. */
export const findEvents = (before: SessionSnapshot, now: SessionSnapshot): [EventName, object][] => {
  if (before.status === 'unknown') return [];
  const { user, session } = now;
  if (session && session.id === before.session?.id)
    return JSON.stringify(user) === JSON.stringify(before.user) ? [] : [['user-changed', { user }]];
  const reason = session ? 'SIGNED_IN_AS_ANOTHER' : (now.reason ?? 'SIGNED_OUT');
  const events: [EventName, object][] = [];
  if (before.session) events.push(['signed-out', { reason }]);
  if (session) events.push(['signed-in', { user, session }]);
  return events;
};

type Name = EventName | 'change';

/** The listeners of a client. */
export const createEvents = <K extends Kind>() => {
  const entries = new Set<{ name: Name; listener: (event: never) => void }>();
  const add = (name: Name, listener: (event: never) => void): (() => void) => {
    const entry = { name, listener };
    entries.add(entry);
    return () => entries.delete(entry);
  };
  // Asynchronous, so that an error in a listener is reported and does not make the call fail.
  const emit = (name: Name, event: object): void => {
    for (const entry of entries)
      if (entry.name === name) queueMicrotask(() => entry.listener(event as never));
  };
  return {
    onChange: (before: SessionSnapshot, now: SessionSnapshot): void => {
      for (const [name, event] of findEvents(before, now)) emit(name, event);
      emit('change', now);
    },
    on: <Event extends EventName>(name: Event, listener: (event: SessionEvents<K>[Event]) => void) =>
      add(name, listener),
    subscribe: (listener: () => void) => add('change', listener),
  };
};

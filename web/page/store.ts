import { useSyncExternalStore } from 'react';

/** A value of the whole page. A component that uses it renders again when it changes. */
export const createStore = <Value>(initial: Value) => {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = (): Value => value;
  return {
    get,
    subscribe,
    set: (next: Value): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): Value => useSyncExternalStore(subscribe, get),
  };
};

import { useSyncExternalStore } from 'react';

/** State of the whole page, for code that is no component. A component that uses a part renders when it changes. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: (): State => state,
    set: (changes: Partial<State>): void => {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
    use: <Part>(select: (state: State) => Part): Part => useSyncExternalStore(subscribe, () => select(state)),
  };
};

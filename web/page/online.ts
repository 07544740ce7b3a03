import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  for (const name of ['online', 'offline']) window.addEventListener(name, listener);
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, listener);
  };
};

/** What the browser knows of its network. Renders again when it changes. */
export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

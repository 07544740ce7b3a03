import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  for (const name of ['online', 'offline']) window.addEventListener(name, listener);
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, listener);
  };
};

/** Whether the browser believes to be online. Renders again when that changes. */
export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

import { useEffect, useState, useSyncExternalStore } from 'react';

/** A response within this time needs no sign of waiting, which would only flicker. */
const DELAY_MILLISECONDS = 300;

/** True when `isBusy` has lasted for 300 ms. */
export const useIsSlow = (isBusy: boolean): boolean => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setSlow(true), DELAY_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isBusy]);
  return isSlow;
};

let waiting = 0;
const listeners = new Set<() => void>();
const change = (by: number): void => {
  waiting += by;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows the bar at the top of the page while `isWaiting` lasts for more than 300 ms. */
export const useWaitingBar = (isWaiting: boolean): void => {
  const isSlow = useIsSlow(isWaiting);
  useEffect(() => {
    if (!isSlow) return;
    change(1);
    return () => change(-1);
  }, [isSlow]);
};

/** Rendered once in a page. */
export const WaitingBar = () => {
  const isShown = useSyncExternalStore(subscribe, () => waiting > 0);
  return isShown ? <div className="waiting-bar" aria-hidden="true" /> : null;
};

/** For Suspense: the code of a screen is being loaded. */
export const WaitingForScreen = () => {
  useWaitingBar(true);
  return null;
};

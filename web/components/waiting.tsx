import { useEffect, useState } from 'react';

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

/** A bar at the top of the page, while `isBusy` lasts for more than 300 ms. */
export const Bar = ({ isBusy }: { isBusy: boolean }) =>
  useIsSlow(isBusy) ? <div className="waiting-bar" aria-hidden="true" /> : null;

/** The fallback of Suspense, while the code of a screen is loaded. */
export const WaitingForScreen = () => <Bar isBusy />;

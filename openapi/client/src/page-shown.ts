type PageEvent = { persisted?: boolean };
type Target = {
  visibilityState?: string;
  addEventListener?: (name: string, listener: (event: PageEvent) => void) => void;
  removeEventListener?: (name: string, listener: (event: PageEvent) => void) => void;
};

/** Users switch tabs often, so a recent response is assumed to be still valid. */
const INTERVAL_MILLISECONDS = 60_000;

/**
 * Calls the listener, at most once a minute, when the tab becomes visible or leaves the back/forward cache.
 * Returns a function that stops it.
 */
export const onPageShown = (listener: () => unknown): (() => void) => {
  const { window: page, document } = globalThis as { window?: Target; document?: Target };
  let lastRun = 0;
  const run = () => {
    if (Date.now() - lastRun < INTERVAL_MILLISECONDS) return;
    lastRun = Date.now();
    listener();
  };
  const onVisible = () => {
    if (document?.visibilityState === 'visible') run();
  };
  const onRestored = ({ persisted }: PageEvent) => {
    if (persisted) run();
  };
  // React Native has a window without events.
  document?.addEventListener?.('visibilitychange', onVisible);
  page?.addEventListener?.('pageshow', onRestored);
  return () => {
    document?.removeEventListener?.('visibilitychange', onVisible);
    page?.removeEventListener?.('pageshow', onRestored);
  };
};

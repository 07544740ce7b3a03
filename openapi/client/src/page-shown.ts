type PageEvent = { persisted?: boolean };
type Target = {
  visibilityState?: string;
  addEventListener?: (name: string, listener: (event: PageEvent) => void) => void;
  removeEventListener?: (name: string, listener: (event: PageEvent) => void) => void;
};

/** Users change tabs often: a page that was asked for a moment ago need not be asked again. */
const INTERVAL_MILLISECONDS = 60_000;

/**
 * Calls the listener, once at a time, when the tab becomes visible (at most once a minute) or leaves the back/forward cache.
 * Returns a function that stops it.
 */
export const onPageShown = (listener: () => Promise<void>): (() => void) => {
  const { window: page, document } = globalThis as { window?: Target; document?: Target };
  let isRunning = false;
  let lastRun = 0;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    lastRun = Date.now();
    await listener();
    isRunning = false;
  };
  const onVisible = () => {
    const isDue = Date.now() - lastRun > INTERVAL_MILLISECONDS;
    if (document?.visibilityState === 'visible' && isDue) void run();
  };
  const onRestored = ({ persisted }: PageEvent) => {
    if (persisted) void run();
  };
  // React Native has a window without events.
  document?.addEventListener?.('visibilitychange', onVisible);
  page?.addEventListener?.('pageshow', onRestored);
  return () => {
    document?.removeEventListener?.('visibilitychange', onVisible);
    page?.removeEventListener?.('pageshow', onRestored);
  };
};

type PageEvent = { persisted?: boolean };
type Target = {
  visibilityState?: string;
  addEventListener?: (name: string, listener: (event: PageEvent) => void) => void;
  removeEventListener?: (name: string, listener: (event: PageEvent) => void) => void;
};

/**
 * Calls the listener, once at a time, when the tab becomes visible or leaves the back/forward cache. Returns a function that
 * stops it.
 */
export const onPageShown = (listener: () => Promise<void>): (() => void) => {
  const { window: page, document } = globalThis as { window?: Target; document?: Target };
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await listener();
    isRunning = false;
  };
  const onVisible = () => {
    if (document?.visibilityState === 'visible') void run();
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

import { isPlatformError } from '@platform/client';
import { useCallback, useRef, useState } from 'react';

export type Action<Args extends unknown[]> = {
  /** Does nothing while a previous run is under way. Resolves with whether it succeeded. */
  run: (...args: Args) => Promise<boolean>;
  isBusy: boolean;
  /** The error of the latest run. */
  error: unknown;
  clear: () => void;
};

/** One request at a time, started by the user. Its error is kept to be shown where the action is. */
export const useAction = <Args extends unknown[]>(
  perform: (...args: Args) => Promise<unknown>,
): Action<Args> => {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const isRunning = useRef(false);
  const latest = useRef(perform);
  latest.current = perform;
  const run = useCallback(async (...args: Args): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setState({ isBusy: true });
    try {
      await latest.current(...args);
      setState({ isBusy: false });
      return true;
    } catch (error) {
      // The person has cancelled the dialog that asked for the proof, so there is nothing to say.
      const isCancelled = isPlatformError(error, 'PROOF_REQUIRED');
      setState(isCancelled ? { isBusy: false } : { isBusy: false, error });
      return false;
    } finally {
      isRunning.current = false;
    }
  }, []);
  const clear = useCallback(() => setState((state) => (state.isBusy ? state : { isBusy: false })), []);
  return { run, clear, isBusy: state.isBusy, error: state.error };
};

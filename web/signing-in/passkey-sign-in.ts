import { isPlatformError } from '@platform/client';
import { isPasskeyAvailable } from '@platform/client/passkey-availability';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePlatform } from '../session/platform.ts';
import { rememberLastUsed } from './last-used.ts';
import type { Stay } from './stay-signed-in.ts';

/** Loaded after the first screen, which shows a form and needs none of it. */
const loadPasskeys = () => import('@platform/client/passkeys');

/** Whether to show nothing: the person pressed something else or cancelled, or the platform has no passkeys. */
const isQuiet = (error: unknown): boolean =>
  !isPlatformError(error) ||
  isPlatformError(error, 'PASSKEY_ABORTED', 'PASSKEY_CANCELLED', 'ROUTE_NOT_FOUND');

/**
 * Whether to show nothing of an error of autofill: nobody asked for it, so only an error of the platform is shown.
 */
const isQuietAutofill = (error: unknown): boolean =>
  isQuiet(error) || (isPlatformError(error) && error.status === 0);

type PasskeySignIn = {
  /** Undefined where the browser or the page's address has no passkeys. */
  button: { use: () => void; isPending: boolean } | undefined;
  error: unknown;
};

/**
 * Offers passkeys in the field of the e-mail, and by a button. Autofill waits until somebody chooses a passkey, and
 * begins again after the button's dialog has been cancelled, or the person has chosen to stay signed in. The button
 * ends it first: otherwise its options, if they came late, would close the dialog. After one of them has signed in,
 * nothing else is sent.
 */
export const usePasskeySignIn = (
  { staySignedIn }: Stay,
  onDone: () => void,
  onError: (error: unknown) => void,
): PasskeySignIn => {
  const { client, kind } = usePlatform();
  const [round, setRound] = useState(0);
  const [autofillError, setAutofillError] = useState<unknown>();
  const endAutofill = useRef<() => Promise<void>>(undefined);
  const isDone = useRef(false);
  const finish = (): void => {
    isDone.current = true;
    rememberLastUsed(kind, 'method', 'passkey');
    onDone();
  };
  const button = useMutation({
    mutationFn: async () => {
      setAutofillError(undefined);
      await endAutofill.current?.();
      if (isDone.current) return;
      const { signInWithPasskey } = await loadPasskeys();
      await signInWithPasskey(client, { staySignedIn }).finally(() => setRound((current) => current + 1));
    },
    onSuccess: () => {
      // Autofill may have signed in meanwhile.
      if (!isDone.current) finish();
    },
    onError,
  });
  const finishAutofill = useEffectEvent(finish);
  const failAutofill = useEffectEvent((error: unknown) => {
    setAutofillError(error);
    onError(error);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round waits once.
  useEffect(() => {
    const leaving = new AbortController();
    let isChosen = false;
    const wait = async () => {
      if (!isPasskeyAvailable()) return;
      const { isPasskeyAutofillAvailable, signInWithPasskey } = await loadPasskeys();
      if (!(await isPasskeyAutofillAvailable()) || leaving.signal.aborted) return;
      await signInWithPasskey(client, {
        autofill: true,
        staySignedIn,
        signal: leaving.signal,
        onChosen: () => {
          isChosen = true;
        },
      });
      finishAutofill();
    };
    const ended = wait().catch((error: unknown) => {
      if (!leaving.signal.aborted && !isQuietAutofill(error)) failAutofill(error);
    });
    endAutofill.current = () => {
      if (!isChosen) leaving.abort();
      return ended;
    };
    return () => leaving.abort();
  }, [client, round, staySignedIn]);
  const isMissing = isPlatformError(button.error, 'ROUTE_NOT_FOUND');
  return {
    button:
      isPasskeyAvailable() && !isMissing
        ? { use: () => button.mutate(), isPending: button.isPending }
        : undefined,
    error: isQuiet(button.error) ? autofillError : button.error,
  };
};

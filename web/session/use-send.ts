import { useState } from 'react';
import { createStore } from '../page/store.ts';

type Callbacks = { onSuccess?: () => void; onError?: (error: unknown) => void };
type Sending<Variables> = { variables?: Variables; isPending: boolean; error: unknown };

const IDLE = { isPending: false, error: null };

const underWay = createStore(0);

/** For the bar of the page. */
export const useIsSending = (): boolean => underWay.use() > 0;

/**
 * The part of `useMutation` that the forms of who is not signed in need. They load no queries, and so the first
 * screen does without TanStack Query.
 */
export const useSend = <Variables = void>(
  call: (variables: Variables) => Promise<unknown>,
  options: Callbacks = {},
) => {
  const [sending, setSending] = useState<Sending<Variables>>(IDLE);
  const send = async (variables: Variables, callbacks: Callbacks): Promise<void> => {
    const pending: Sending<Variables> = { variables, isPending: true, error: null };
    // A call that a later one has replaced says nothing about it.
    const settle = (error: unknown) =>
      setSending((now) => (now === pending ? { variables, isPending: false, error } : now));
    setSending(pending);
    underWay.set(underWay.get() + 1);
    try {
      await call(variables);
      settle(null);
      for (const { onSuccess } of [options, callbacks]) onSuccess?.();
    } catch (error) {
      settle(error);
      for (const { onError } of [options, callbacks]) onError?.(error);
    } finally {
      underWay.set(underWay.get() - 1);
    }
  };
  return {
    ...sending,
    mutate: (variables: Variables, callbacks: Callbacks = {}): void => void send(variables, callbacks),
    reset: (): void => setSending(IDLE),
  };
};

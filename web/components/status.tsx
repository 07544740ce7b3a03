import type { UseMutationOptions } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { takeLateAnswer } from '../session/lost-answers.ts';

export type Undo = Pick<UseMutationOptions, 'mutationFn' | 'meta'> & {
  /** The sentence once it is undone: "Ada Lovelace is not blocked any more." */
  undone: ReactNode;
};
type Status = { text: ReactNode; undo?: Undo | undefined; isLate: boolean; path: string };
type SayStatus = (text: ReactNode, undo?: Undo) => void;

const Context = createContext<
  { status: Status | undefined; say: SayStatus; dismiss: () => void; dismissLeft: () => void } | undefined
>(undefined);

export const useStatus = () => {
  const context = useContext(Context);
  if (!context) throw new Error('There is no StatusProvider');
  return context;
};

/** Says what has happened, with an undo where the API has one, until it is dismissed or the page is left. */
export const useSayStatus = (): SayStatus => useStatus().say;
/** Removes the status line of a page that is left, but not one that was said after the step to the next page. */
export const useDismissLeftStatus = (): (() => void) => useStatus().dismissLeft;

export const StatusProvider = ({ children }: { children: ReactNode }) => {
  const [status, setStatus] = useState<Status>();
  const say = useCallback<SayStatus>(
    (text, undo) => setStatus({ text, undo, isLate: takeLateAnswer(), path: window.location.pathname }),
    [],
  );
  const dismiss = useCallback(() => setStatus(undefined), []);
  const dismissLeft = useCallback(
    () => setStatus((said) => (said?.path === window.location.pathname ? said : undefined)),
    [],
  );
  const value = useMemo(() => ({ status, say, dismiss, dismissLeft }), [status, say, dismiss, dismissLeft]);
  return <Context value={value}>{children}</Context>;
};

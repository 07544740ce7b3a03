import type { UseMutationOptions } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { takeLateAnswer } from '../session/lost-answers.ts';

export type Undo = Pick<UseMutationOptions, 'mutationFn' | 'meta'> & {
  /** What the page says once it is undone: "Ada Lovelace is not blocked any more." */
  undone: ReactNode;
};
type Status = { text: ReactNode; undo?: Undo | undefined; isLate: boolean };
type SayStatus = (text: ReactNode, undo?: Undo) => void;

const Context = createContext<
  { status: Status | undefined; say: SayStatus; dismiss: () => void } | undefined
>(undefined);

export const useStatus = () => {
  const context = useContext(Context);
  if (!context) throw new Error('There is no StatusProvider');
  return context;
};

/** Says what has happened, with an undo where the API has one, until it is dismissed or the page is left. */
export const useSayStatus = (): SayStatus => useStatus().say;
/** Removes the status line, when its page is left. */
export const useDismissStatus = (): (() => void) => useStatus().dismiss;

export const StatusProvider = ({ children }: { children: ReactNode }) => {
  const [status, setStatus] = useState<Status>();
  const say = useCallback<SayStatus>((text, undo) => setStatus({ text, undo, isLate: takeLateAnswer() }), []);
  const dismiss = useCallback(() => setStatus(undefined), []);
  const value = useMemo(() => ({ status, say, dismiss }), [status, say, dismiss]);
  return <Context value={value}>{children}</Context>;
};

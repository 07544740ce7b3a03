import { useSyncExternalStore } from 'react';
import { onForget } from '../session/forget-person.ts';

/** The action that waits for the proof; undefined while none does. */
type Question = { answer: (isProved: boolean) => void };

let question: Question | undefined;
const listeners = new Set<() => void>();

const change = (next: Question | undefined): void => {
  question = next;
  for (const listener of listeners) listener();
};

/** Opens the dialog. Resolves with false if the person cancels it. */
export const askForProof = (): Promise<boolean> => new Promise((answer) => change({ answer }));

/** Closes the dialog, if it is open. */
export const answerProof = (isProved: boolean): void => {
  question?.answer(isProved);
  change(undefined);
};
onForget(() => answerProof(false));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsProofAsked = (): boolean => useSyncExternalStore(subscribe, () => question !== undefined);

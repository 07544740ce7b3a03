import { useCallback, useEffect, useState } from 'react';

type Answer = (isProved: boolean) => void;

/** The event goes to `window`, because the client that asks is no component. */
const QUESTION = 'platform:proof-required';

/** Opens the dialog. Resolves with false if the person cancels it, or if there is no page that could show it. */
export const askForProof = (): Promise<boolean> =>
  new Promise((answer) => {
    const question = new CustomEvent<Answer>(QUESTION, { detail: answer, cancelable: true });
    if (window.dispatchEvent(question)) answer(false);
  });

/** Returns the function that answers the question and closes its dialog; undefined while nothing asks. */
export const useProofQuestion = (): Answer | undefined => {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    const ask = (event: Event) => {
      event.preventDefault();
      setAnswer(() => (event as CustomEvent<Answer>).detail);
    };
    window.addEventListener(QUESTION, ask);
    return () => window.removeEventListener(QUESTION, ask);
  }, []);
  // A page that is left, such as by a sign-out, has proved nothing.
  useEffect(() => () => answer?.(false), [answer]);
  const close = useCallback<Answer>(
    (isProved) => {
      answer?.(isProved);
      setAnswer(undefined);
    },
    [answer],
  );
  return answer && close;
};

import type { ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { forgetSecondStep, type SecondStep } from './second-step.ts';
import type { Stay } from './stay-signed-in.ts';

/** Steps after the first one, which has the password. */
export type StepName = 'forgotten' | 'code-address' | 'code' | 'second';

/** The properties of each way to sign in other than the password. */
export type WayProps = {
  email: string;
  stay: Stay;
  onSecondStep: (step: SecondStep) => void;
  onDone: () => void;
  onBack: () => void;
  onError: (error: unknown) => void;
  /** Links to other entrances. */
  children?: ReactNode;
};

type StepState = { step?: StepName; email?: string };

const readState = (): StepState => history.state ?? {};

/** The state of the history entry that shows the second step, for a page that has begun it. */
export const SECOND_STEP_STATE = { step: 'second' } satisfies StepState;

/** The address that was typed on the page before: in the entry of the history, and in no address. */
export const readTypedEmail = (): string => {
  const { email } = readState();
  return typeof email === 'string' ? email : '';
};

export const rememberTypedEmail = (email: string): void =>
  history.replaceState({ ...history.state, email }, '');

/**
 * The step of a sign-in is kept in the entry of the history: a reload shows it again, and the back button leads to
 * the one before.
 */
export const useSteps = () => {
  const { step } = (useHistoryState() ?? {}) as StepState;
  return {
    step,
    /** Opens a step in an entry of its own. */
    open: (next: StepName, email: string): void => {
      rememberTypedEmail(email);
      history.pushState({ ...history.state, step: next }, '');
    },
    /** Goes to another step without a new entry of the history. */
    replace: (next: StepName | undefined, email: string): void => {
      if (next !== 'second') forgetSecondStep();
      // Its mailed code may have no tries left, so the next step asks for its own.
      history.replaceState({ ...history.state, step: next, email, code: undefined }, '');
    },
  };
};

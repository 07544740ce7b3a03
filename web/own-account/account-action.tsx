import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ActionDialog } from '../components/forms/action-dialog.tsx';
import { useSayStatus } from '../components/status.tsx';
import type { Proof } from './proof.tsx';
import { ACCOUNT_CHANGE } from './queries.ts';

type AccountActionProps<Result> = {
  /** The button that opens the dialog. */
  button: ReactNode;
  buttonLook?: 'plain' | 'link' | 'danger-quiet';
  buttonLabel?: string;
  isWide?: boolean;
  title: string;
  /** The text of the dialog: what will happen, and what stays. */
  text?: ReactNode;
  submit: string;
  submitting: string;
  cancel?: string;
  isDanger?: boolean;
  isInitiallyOpen?: boolean;
  proof?: Proof;
  /** Fields that are emptied when the dialog closes, as those of the proof are. */
  passwordFields?: ReactNode;
  /** Fields that keep what was typed for the next time, until the action has succeeded. */
  children?: ReactNode;
  /** The sentence for an error, in place of the platform's own one. */
  sentenceOf?: (error: unknown) => ReactNode;
  onSubmit: (fields: never) => Promise<Result>;
  /** Returns what the page says after the success, or undefined for nothing. */
  done?: ((result: Result) => string | undefined) | undefined;
};

/** A change of the own account: a button, its dialog with one form, and what it says afterwards. */
export const AccountAction = <Result,>({
  button,
  buttonLook = 'link',
  isWide = false,
  buttonLabel,
  text,
  isDanger = false,
  isInitiallyOpen = false,
  proof,
  passwordFields,
  children,
  onSubmit,
  done,
  ...dialog
}: AccountActionProps<Result>) => {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const say = useSayStatus();
  const change = useMutation({
    mutationFn: onSubmit,
    meta: ACCOUNT_CHANGE,
    onSuccess: (result) => {
      const text = done?.(result);
      if (text) say(text);
    },
  });
  return (
    <>
      <Button look={buttonLook} isWide={isWide} aria-label={buttonLabel} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <ActionDialog
        {...dialog}
        {...(proof && { advice: proof.advice, fieldErrorsOf: proof.fieldErrorsOf })}
        lead={text}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        look={isDanger ? 'danger' : 'main'}
        mutation={change}
      >
        {children}
        {isOpen && passwordFields}
        {isOpen && proof?.fields}
      </ActionDialog>
    </>
  );
};

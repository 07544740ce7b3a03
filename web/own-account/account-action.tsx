import type { FactorConfirmation } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ActionDialog, type DialogState } from '../components/forms/action-dialog.tsx';
import { useSayStatus } from '../components/status.tsx';
import { type AnyClient, usePlatform } from '../session/platform.ts';
import { type ProofFields, useProof } from './proof.tsx';
import { ACCOUNT_CHANGE } from './queries.ts';

/** The input of a change: the values of the fields, and the proof that the action `asks` for. */
export type Change<Fields = unknown> = { client: AnyClient; fields: Fields; proof: FactorConfirmation };

type AccountDialogProps<Result> = {
  title: string;
  /** The text of the dialog: what will happen, and what stays. */
  text?: ReactNode;
  submit: string;
  submitting: string;
  cancel?: string;
  isDanger?: boolean;
  /** The proof of the owner: the password, or also a factor if a second step is due. */
  asks?: 'password' | 'factor';
  /** Fields that are emptied when the dialog closes, as those of the proof are. */
  passwordFields?: ReactNode;
  /** Fields that keep what was typed for the next time, until the action has succeeded. */
  children?: ReactNode;
  /** The sentence for an error, in place of the platform's own one. */
  sentenceOf?: (error: unknown) => ReactNode;
  onSubmit: (change: Change<never>) => Promise<Result>;
  /** Returns what the page says after the success, or undefined for nothing. */
  done?: (result: Result) => string | undefined;
};

/** The dialog of a change of the own account: one form, and what the page says afterwards. */
export const AccountDialog = <Result,>({
  text,
  isDanger = false,
  asks,
  passwordFields,
  children,
  onSubmit,
  done,
  ...dialog
}: AccountDialogProps<Result> & DialogState) => {
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: asks === 'factor' });
  const say = useSayStatus();
  const change = useMutation({
    mutationFn: async (fields: ProofFields) =>
      onSubmit({ client, fields: fields as never, proof: asks ? await proof.read(fields) : {} }),
    meta: ACCOUNT_CHANGE,
    onSuccess: (result) => {
      const text = done?.(result);
      if (text) say(text);
    },
  });
  return (
    <ActionDialog
      {...dialog}
      {...proof.form}
      lead={text}
      look={isDanger ? 'danger' : 'main'}
      mutation={change}
    >
      {children}
      {dialog.isOpen && passwordFields}
      {dialog.isOpen && asks && proof.fields}
    </ActionDialog>
  );
};

export type AccountActionProps<Result> = AccountDialogProps<Result> & {
  /** The button that opens the dialog. */
  button: ReactNode;
  buttonLook?: 'plain' | 'link' | 'danger-quiet';
  buttonLabel?: string;
  isWide?: boolean;
  isInitiallyOpen?: boolean;
};

/** A change of the own account: a button, and its dialog. */
export const AccountAction = <Result,>({
  button,
  buttonLook = 'link',
  isWide = false,
  buttonLabel,
  isInitiallyOpen = false,
  ...dialog
}: AccountActionProps<Result>) => {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  return (
    <>
      <Button look={buttonLook} isWide={isWide} aria-label={buttonLabel} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <AccountDialog {...dialog} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
};

import { isPlatformError } from '@platform/client';
import { type MutationMeta, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { CancelButton, Dialog } from '../dialogs/dialog.tsx';
import { type Undo, useSayStatus } from '../status.tsx';
import { type FieldErrors, Form, type FormMutation } from './form.tsx';

/** `useDialogs` returns these properties: they open and close a dialog. */
export type DialogState = { isOpen: boolean; onClose: () => void };

type ActionDialogProps = DialogState & {
  /** The question names the person or thing. */
  title: string;
  /** The text below the title. */
  lead?: ReactNode;
  /** The text says what happens to whom at once, and what stays. The fields follow. */
  children: ReactNode;
  /** Repeats the verb: "Block user". Undefined if the API would refuse, which the text explains. */
  submit?: string | undefined;
  submitting?: string;
  /** Another action beside "Close", in a dialog that has nothing to submit. */
  instead?: ReactNode;
  /** The label of the harmless button, if "Cancel" does not say what stays. */
  cancel?: string | undefined;
  look?: 'danger' | 'main';
  isFirst?: boolean;
  /** The dialog closes when it has succeeded. */
  mutation?: FormMutation;
  /** The next step after an error. */
  advice?: (error: unknown) => ReactNode;
  /** The sentence for an error, in place of the platform's own one. */
  sentenceOf?: (error: unknown) => ReactNode;
  /** The sentences below fields after an error, in place of the platform's own one. */
  fieldErrorsOf?: (error: unknown) => FieldErrors | undefined;
};

/** A dialog that asks before it acts. What was typed stays for the next time, until the action has succeeded. */
export const ActionDialog = (props: ActionDialogProps) => {
  const { title, lead, isOpen, onClose, children, cancel, mutation, instead, ...form } = props;
  const [round, setRound] = useState(0);
  const queries = useQueryClient();
  const words = useWords(COMMON);
  return (
    <Dialog title={title} lead={lead} isOpen={isOpen} onClose={onClose}>
      {form.submit === undefined || mutation === undefined ? (
        <div className="stack">
          {children}
          <div className="dialog-foot">
            <Button onClick={onClose}>{words.close}</Button>
            {instead}
          </div>
        </div>
      ) : (
        <Form
          key={round}
          look="danger"
          {...form}
          buttons={<CancelButton onClick={onClose}>{cancel}</CancelButton>}
          mutation={mutation}
          onSuccess={() => {
            onClose();
            setRound((current) => current + 1);
          }}
          onError={(error) => {
            // Somebody deleted or changed it meanwhile, which the page says once it is loaded again.
            if (isPlatformError(error) && [404, 409].includes(error.status)) void queries.invalidateQueries();
          }}
        >
          {children}
        </Form>
      )}
    </Dialog>
  );
};

export type WriteDialogProps<Result> = Omit<ActionDialogProps, 'mutation'> & {
  act: (fields: never) => Promise<Result>;
  /** The queries that the write changes, and the question that stays open while its answer is lost. */
  meta?: MutationMeta;
  /** The sentence that the page says when the write has succeeded. */
  done: (result: Result) => ReactNode;
  undo?: Undo;
};

/** A dialog that sends a write, and then says what was done. */
export const WriteDialog = <Result,>(props: WriteDialogProps<Result>) => {
  const { act, meta = {}, done, undo, ...dialog } = props;
  const say = useSayStatus();
  const mutation = useMutation({
    mutationFn: act,
    meta,
    onSuccess: (result) => say(done(result), undo),
  });
  return <ActionDialog {...dialog} mutation={mutation} />;
};

type DialogButtonProps = {
  label: string;
  /** The person or thing that a screen reader names after the label. */
  object: string;
  look?: 'danger-quiet';
  children: (dialog: DialogState) => ReactNode;
};

/** A small button and the dialog that it opens. */
export const DialogButton = ({ label, object, look, children }: DialogButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look ?? 'plain'} isSmall aria-label={`${label} ${object}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {children({ isOpen, onClose: () => setOpen(false) })}
    </>
  );
};

/** Opens one dialog of a page at a time. */
export const useDialogs = <Name extends string>() => {
  const [open, setOpen] = useState<Name>();
  return {
    open: (name: Name) => () => setOpen(name),
    /** The properties of the dialog with this name. */
    dialog: (name: Name): DialogState => ({ isOpen: open === name, onClose: () => setOpen(undefined) }),
  };
};

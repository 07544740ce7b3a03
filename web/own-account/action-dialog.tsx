import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { CancelButton, Dialog } from '../components/dialog.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { useSayStatus } from '../components/status.tsx';
import type { Proof } from './proof.tsx';
import { useReloadAccount } from './queries.ts';

type ActionDialogProps = {
  /** The button that opens the dialog. */
  button: ReactNode;
  buttonLook?: 'plain' | 'link' | 'danger-quiet';
  buttonLabel?: string;
  title: string;
  /** What will happen, and what stays. */
  text?: ReactNode;
  submit: string;
  submitting: string;
  isDanger?: boolean;
  isInitiallyOpen?: boolean;
  proof?: Proof;
  /** Emptied when the dialog closes, as the fields of the proof are. */
  passwordFields?: ReactNode;
  /** Fields that keep what was typed for the next time, until the action has succeeded. */
  children?: ReactNode;
  onSubmit: (read: ReadField) => Promise<unknown>;
  /** Said when it has succeeded. */
  done?: (() => string) | undefined;
};

/** A button, its dialog with one form, and what it says afterwards. */
export const ActionDialog = ({
  button,
  buttonLook = 'plain',
  buttonLabel,
  title,
  text,
  submit,
  submitting,
  isDanger = false,
  isInitiallyOpen = false,
  proof,
  passwordFields,
  children,
  onSubmit,
  done,
}: ActionDialogProps) => {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const [round, setRound] = useState(0);
  const say = useSayStatus();
  const reload = useReloadAccount();
  const close = () => setOpen(false);
  return (
    <>
      <Button look={buttonLook} aria-label={buttonLabel} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {text && <p>{text}</p>}
        <Form
          // Another form after each success, so that no password stays in the page.
          key={round}
          look={isDanger ? 'danger' : 'main'}
          submit={submit}
          submitting={submitting}
          buttons={<CancelButton onClick={close} />}
          {...(proof && { advice: proof.advice })}
          onSubmit={async (read) => {
            await onSubmit(read);
            // The page has the new state before it says so.
            await reload();
            setRound((current) => current + 1);
            close();
            if (done) say(done());
          }}
        >
          {children}
          {isOpen && passwordFields}
          {isOpen && proof?.fields}
        </Form>
      </Dialog>
    </>
  );
};

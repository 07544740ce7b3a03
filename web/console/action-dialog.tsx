import type { ReactNode } from 'react';
import { type Action, useAction } from '../components/action.ts';
import { Button } from '../components/button.tsx';
import { Countdown, useSecondsLeft } from '../components/countdown.tsx';
import { CancelButton, Dialog } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { retryTimeOf } from './retry-time.ts';

type Read = (name: string) => string;

export type ActionDialogProps = {
  /** The question names the person or thing. */
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** What happens to whom, at once, and what stays. */
  children: ReactNode;
  /** Repeats the verb: "Block user". Undefined if the API would refuse, which the text explains. */
  submit?: string | undefined;
  submitting?: string;
  look?: 'danger' | 'main';
  /** Closes the dialog when it resolves; its error is shown in the dialog. */
  onSubmit?: (read: Read) => Promise<unknown>;
  /** The next step after an error. */
  advice?: ((error: unknown) => ReactNode) | undefined;
};

const SubmitButton = ({
  action,
  secondsLeft,
  submit,
  submitting,
  look,
}: {
  action: Action<[Read]>;
  secondsLeft: number;
  submit: string;
  submitting: string | undefined;
  look: 'danger' | 'main';
}) => (
  <Button
    type="submit"
    look={look}
    isBusy={action.isBusy}
    busyLabel={submitting}
    isUnavailable={secondsLeft > 0}
  >
    {submit}
  </Button>
);

/**
 * A dialog that asks before it acts. The button with the verb is the last one, and closes the dialog when the
 * action has succeeded. What was typed stays for the next time until then.
 */
export const ActionDialog = (props: ActionDialogProps) => {
  const { title, isOpen, onClose, children, submit, submitting, look = 'danger', onSubmit, advice } = props;
  const action = useAction(async (read: Read) => onSubmit?.(read));
  const retryAt = retryTimeOf(action.error);
  const secondsLeft = useSecondsLeft(retryAt);
  const close = () => {
    if (action.isBusy) return;
    action.clear();
    onClose();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (secondsLeft > 0) return;
          const { currentTarget: form } = event;
          const values = new FormData(form);
          void action
            .run((name) => String(values.get(name) ?? ''))
            .then((hasSucceeded) => {
              if (!hasSucceeded) return;
              form.reset();
              onClose();
            });
        }}
      >
        {children}
        {!(retryAt > 0 && secondsLeft === 0) && (
          <ErrorNotice error={action.error}>
            {action.error !== undefined && advice?.(action.error)}
          </ErrorNotice>
        )}
        <div className="row row-end">
          <CancelButton onClick={close} />
          {submit && <SubmitButton {...{ action, secondsLeft, submit, submitting, look }} />}
        </div>
        {retryAt > 0 && <Countdown seconds={secondsLeft} />}
      </form>
    </Dialog>
  );
};

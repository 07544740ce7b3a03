import type { ReactNode } from 'react';
import { FORM } from '../../words/form.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Clock } from '../countdown.tsx';
import { useIsInDialog } from '../dialogs/in-dialog.ts';

export type FormButtons = {
  /** Undefined for a form without a button: its field sends it. */
  submit?: ReactNode;
  /** Shown while the request takes longer: "Saving …". */
  submitting?: ReactNode;
  look?: 'main' | 'danger';
  isWide?: boolean;
  /** The button has the focus in a dialog that a key opens, so that Enter confirms. */
  isFirst?: boolean;
  /** Other buttons beside the one that submits, such as "Cancel". */
  buttons?: ReactNode;
  /** An element below the buttons, such as a link to another way. */
  after?: ReactNode;
};

type FormFootProps = FormButtons & { isPending: boolean; retrySeconds: number | undefined };

/** The buttons of a form. After a rate limit, the submit button counts down until it works again. */
export const FormFoot = ({
  submit,
  submitting,
  look = 'main',
  isWide = false,
  isFirst = false,
  isPending,
  retrySeconds,
  buttons,
  after,
}: FormFootProps) => {
  const words = useWords(FORM);
  const isInDialog = useIsInDialog();
  const isLimited = retrySeconds !== undefined && retrySeconds > 0;
  const count = isLimited && <Clock seconds={retrySeconds} sentence={words.tryAgainIn} />;
  if (submit === undefined && retrySeconds === undefined) return null;
  return (
    <div className="stack-small">
      <div className={isInDialog ? `dialog-foot dialog-foot-${look}` : 'row'}>
        {isInDialog && buttons}
        {submit === undefined ? (
          count
        ) : (
          <Button
            type="submit"
            data-first={isFirst || undefined}
            look={isLimited ? 'plain' : look}
            isWide={isWide}
            isBusy={isPending}
            busyLabel={submitting}
            isUnavailable={isLimited}
          >
            {count || submit}
          </Button>
        )}
        {!isInDialog && buttons}
      </div>
      <span role="status" className="visually-hidden">
        {retrySeconds === 0 && words.canTryAgain}
      </span>
      {after}
    </div>
  );
};

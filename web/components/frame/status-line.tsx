import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { CheckCircleIcon } from '../form-icons.tsx';
import { CloseIcon } from '../icons.tsx';
import { LostAnswer } from '../lost-answer.tsx';
import { ErrorNotice } from '../notice.tsx';
import { useStatus } from '../status.tsx';

/**
 * Dismisses the line when the next action starts, whose error must not stand beside it; the undo of the line keeps
 * it.
 */
const useDismissAtNextAction = (): void => {
  const { status, dismiss } = useStatus();
  const queries = useQueryClient();
  const start = useEffectEvent((mutationFn: unknown) => {
    if (mutationFn !== status?.undo?.mutationFn) dismiss();
  });
  useEffect(
    () =>
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'pending')
          start(event.mutation.options.mutationFn);
      }),
    [queries],
  );
};

/** Says what has happened, and offers its undo. The element is always there, so that its text is announced. */
export const StatusText = () => {
  const words = useWords(COMMON);
  const { status, say, dismiss } = useStatus();
  const { undone, ...action } = status?.undo ?? {};
  const undo = useMutation({ ...action, onSuccess: () => say(undone) });
  useDismissAtNextAction();
  return (
    <>
      <div role="status">
        {status && (
          <div className="row status-line" tabIndex={-1}>
            <CheckCircleIcon />
            <span className="status-line-text">
              {status.text} {status.isLate && words.late}
            </span>
            {status.undo && (
              <Button look="quiet" mutation={undo}>
                {words.undo}
              </Button>
            )}
            <Button look="icon" aria-label={words.dismiss} title={words.dismiss} onClick={dismiss}>
              <CloseIcon />
            </Button>
          </div>
        )}
      </div>
      <ErrorNotice error={undo.error} />
    </>
  );
};

/** The status line of a whole page also says that an answer was lost. */
export const StatusLine = () => (
  <>
    <StatusText />
    <LostAnswer />
  </>
);

import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

type Undo = Pick<UseMutationOptions, 'mutationFn' | 'meta'>;
type Status = { text: ReactNode; undo?: Undo | undefined };
type SayStatus = (text: ReactNode, undo?: Undo) => void;

const Context = createContext<
  { status: Status | undefined; say: SayStatus; dismiss: () => void } | undefined
>(undefined);

const useStatus = () => {
  const context = useContext(Context);
  if (!context) throw new Error('There is no StatusProvider');
  return context;
};

/** Says what has happened, with an undo where the API has one, until it is dismissed or the page is left. */
export const useSayStatus = (): SayStatus => useStatus().say;
/** For a page that is left. */
export const useDismissStatus = (): (() => void) => useStatus().dismiss;

export const StatusProvider = ({ children }: { children: ReactNode }) => {
  const [status, setStatus] = useState<Status>();
  const say = useCallback<SayStatus>((text, undo) => setStatus({ text, undo }), []);
  const dismiss = useCallback(() => setStatus(undefined), []);
  const value = useMemo(() => ({ status, say, dismiss }), [status, say, dismiss]);
  return <Context value={value}>{children}</Context>;
};

/** Above the content of a page, not over it. The element is always there, so that its text is announced. */
export const StatusLine = () => {
  const words = useWords(COMMON);
  const { status, say, dismiss } = useStatus();
  const undo = useMutation({ ...status?.undo, onSuccess: () => say(words.undone) });
  return (
    <>
      <div role="status">
        {status && (
          <div className="notice notice-ok row status-line">
            <span>{status.text}</span>
            {status.undo && (
              <Button look="link" isBusy={undo.isPending} onClick={() => undo.mutate()}>
                {words.undo}
              </Button>
            )}
            <Button look="link" onClick={dismiss}>
              {words.dismiss}
            </Button>
          </div>
        )}
      </div>
      <ErrorNotice error={undo.error} />
    </>
  );
};

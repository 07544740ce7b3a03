import { isPlatformError } from '@platform/client';
import type { ReactNode } from 'react';
import { messageOf } from '../session/messages.ts';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { CopyButton } from './copy-button.tsx';
import { Countdown, useRetrySeconds } from './countdown.tsx';

type NoticeProps = { look?: 'plain' | 'bad' | 'warn' | 'ok'; children: ReactNode };

export const Notice = ({ look = 'plain', children }: NoticeProps) => (
  <div className={`notice notice-${look}`}>{children}</div>
);

/** A response of the platform without a known reason: its support needs the number of the request. */
const findRequestId = (error: unknown): string | undefined =>
  isPlatformError(error) && error.status >= 500 ? error.requestId : undefined;

type ErrorNoticeProps = {
  error: unknown;
  /** The next step, after the API's sentence. */
  children?: ReactNode;
};

/** Announced at once. Renders nothing without an error, but exists before it, as `role="alert"` needs. */
export const ErrorMessage = ({ error, children }: ErrorNoticeProps) => {
  const words = useWords(COMMON);
  const requestId = findRequestId(error);
  // The person has cancelled the dialog that asked for the proof, so there is nothing to say.
  const isShown = error != null && !isPlatformError(error, 'PROOF_REQUIRED');
  return (
    <div role="alert" className={isShown ? undefined : 'visually-hidden'}>
      {isShown && (
        <Notice look="bad">
          {messageOf(error)} {children}
          {requestId && (
            <div className="small">
              {words.requestId}: <span className="code">{requestId}</span> <CopyButton text={requestId} />
            </div>
          )}
        </Notice>
      )}
    </div>
  );
};

/** The message, and a countdown if the request hit a limit. A form has the countdown beside its button. */
export const ErrorNotice = ({ error, children }: ErrorNoticeProps) => {
  const retrySeconds = useRetrySeconds(error);
  return (
    <>
      <ErrorMessage error={retrySeconds === 0 ? undefined : error}>{children}</ErrorMessage>
      {retrySeconds !== undefined && <Countdown seconds={retrySeconds} />}
    </>
  );
};

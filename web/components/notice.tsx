import { isPlatformError } from '@platform/client';
import { type ReactNode, useState } from 'react';
import { useIsOnline } from '../page/online.ts';
import { messageOf } from '../session/messages.ts';
import { FORM } from '../words/form.ts';
import { useWords } from '../words/words.ts';
import { Id } from './copy-button.tsx';
import { Countdown, useRetrySeconds } from './countdown.tsx';
import { AlertIcon, CheckCircleIcon, InfoIcon } from './form-icons.tsx';

type NoticeLook = 'plain' | 'bad' | 'warn' | 'ok';
type NoticeProps = {
  look?: NoticeLook;
  /** The title, in one line with the icon. */
  title?: ReactNode;
  /** The button at the right that solves it. */
  action?: ReactNode;
  children?: ReactNode;
};

const ICONS: Record<NoticeLook, ReactNode> = {
  plain: <InfoIcon />,
  bad: <AlertIcon />,
  warn: <AlertIcon />,
  ok: <CheckCircleIcon />,
};

export const Notice = ({ look = 'plain', title, action, children }: NoticeProps) =>
  title === undefined && action === undefined ? (
    <div className={`notice notice-${look}`}>{children}</div>
  ) : (
    <div className={`notice notice-${look} notice-row`}>
      {ICONS[look]}
      <div className="notice-text">
        <p className={children ? 'strong' : undefined}>{title}</p>
        {children && <div className="small">{children}</div>}
      </div>
      {action && <div className="row">{action}</div>}
    </div>
  );

/** The id of a request that failed without a known reason, for the support. */
const findRequestId = (error: unknown): string | undefined =>
  isPlatformError(error) && error.status >= 500 ? error.requestId : undefined;

/**
 * A dialog asks the person to sign in again, for the proof or for a passkey. Once that is answered or cancelled,
 * there is nothing left to say.
 */
const ASKED_ELSEWHERE = [
  'PROOF_REQUIRED',
  'TOKEN_INVALID',
  'REFRESH_TOKEN_REUSED',
  'PASSKEY_CANCELLED',
  'PASSKEY_ABORTED',
] as const;

type ErrorNoticeProps = {
  error: unknown;
  /** Replaces the API's sentence. */
  sentence?: ReactNode;
  /** Says that there is no connection before anything is sent. */
  saysOffline?: boolean;
  /** The next step, after the API's sentence. */
  children?: ReactNode;
};

/** An error without a connection is no longer one when the connection is back. */
const useConnection = (error: unknown, saysOffline: boolean): 'lost' | 'back' | undefined => {
  const isOnline = useIsOnline();
  const [lost, setLost] = useState<unknown>();
  if (error !== lost && !isOnline && isPlatformError(error, 'GATEWAY_UNREACHABLE')) setLost(error);
  if (saysOffline && !isOnline) return 'lost';
  if (error == null || error !== lost) return undefined;
  return isOnline ? 'back' : 'lost';
};

/** Announced at once. Renders nothing without an error, but exists before it, as `role="alert"` needs. */
export const ErrorMessage = ({ error, sentence, saysOffline = false, children }: ErrorNoticeProps) => {
  const words = useWords(FORM);
  const requestId = findRequestId(error);
  const connection = useConnection(error, saysOffline);
  if (connection !== undefined)
    return (
      <div role="status">
        <Notice
          look={connection === 'lost' ? 'warn' : 'ok'}
          title={connection === 'lost' ? words.connectionLost : words.connectionBack}
        >
          {connection === 'lost' && (
            <>
              {words.connectionLostHint} {children}
            </>
          )}
        </Notice>
      </div>
    );
  const isShown = error != null && !isPlatformError(error, ...ASKED_ELSEWHERE);
  return (
    <div role="alert" className={isShown ? undefined : 'visually-hidden'}>
      {isShown && (
        <Notice
          look="bad"
          // The API's sentence names the time to wait, which the countdown shows.
          title={sentence || (isPlatformError(error, 'RATE_LIMITED') ? words.tooManyTries : messageOf(error))}
        >
          {(children || requestId) && (
            <>
              {children}
              {requestId && (
                <div>
                  {words.requestId}: <Id id={requestId} />
                </div>
              )}
            </>
          )}
        </Notice>
      )}
    </div>
  );
};

/** The message, and a countdown if the request hit a limit. A form has the countdown beside its button. */
export const ErrorNotice = ({ error, sentence, children }: ErrorNoticeProps) => {
  const retrySeconds = useRetrySeconds(error);
  return (
    <>
      <ErrorMessage error={retrySeconds === 0 ? undefined : error} sentence={sentence}>
        {children}
      </ErrorMessage>
      {retrySeconds !== undefined && <Countdown seconds={retrySeconds} />}
    </>
  );
};

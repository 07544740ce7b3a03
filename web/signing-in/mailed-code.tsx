import { isPlatformError } from '@platform/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '../components/button.tsx';
import { Countdown, useSecondsLeft } from '../components/countdown.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useWords } from '../words/words.ts';
import { FORGOTTEN } from './forgotten-words.ts';

/**
 * Returns when another code can be sent. A wait that the platform asks for is not a failure: the code of a minute
 * ago is still valid.
 */
export const sendCode = async (send: () => Promise<{ resendIn: number }>): Promise<number> => {
  const wait = await send().then(
    ({ resendIn }) => resendIn,
    (error: unknown) => {
      if (!isPlatformError(error, 'RESEND_LOCKED')) throw error;
      return error.retryAfterSeconds ?? 120;
    },
  );
  return Date.now() + wait * 1_000;
};

/**
 * Sends a code when the page is opened; after a reload, the one that was sent before is still valid. The data is
 * when another one can be sent.
 */
export const useCodeOnArrival = (
  purpose: string,
  onSend: () => Promise<{ resendIn: number }>,
  { isDue = true, onError }: { isDue?: boolean; onError?: ((error: unknown) => void) | undefined } = {},
) => {
  const queries = useQueryClient();
  const mutationKey = ['send-code', purpose];
  const send = useMutation({ mutationKey, mutationFn: () => sendCode(onSend), ...(onError && { onError }) });
  const begin = useEffectEvent(() => {
    // React may call an effect twice.
    if (isDue && queries.isMutating({ mutationKey }) === 0) send.mutate();
  });
  useEffect(() => begin(), []);
  return send;
};

type SendAgainProps = { resendAt: number; onSend: () => Promise<unknown> };

export const SendAgain = ({ resendAt, onSend }: SendAgainProps) => {
  const words = useWords(FORGOTTEN);
  const again = useMutation({ mutationFn: onSend });
  const secondsLeft = useSecondsLeft(resendAt);
  return (
    <div className="stack-small">
      <ErrorNotice error={again.error} />
      {secondsLeft > 0 ? (
        <span className="muted small">
          {words.sendCodeAgain}: <Countdown seconds={secondsLeft} />
        </span>
      ) : (
        <Button
          look="link"
          isBusy={again.isPending}
          busyLabel={words.sendingCode}
          onClick={() => again.mutate()}
        >
          {words.sendCodeAgain}
        </Button>
      )}
    </div>
  );
};

import { isPlatformError } from '@platform/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';

/** The platform accepts a mailed code for 900 s. */
const LIFETIME_MILLISECONDS = 900_000;
/** The platform sends the next code after 120 s; a longer wait means too many codes in an hour or a day. */
const RESEND_SECONDS = 120;

/** A code that was mailed, as the entry of the history remembers it. */
type SentCode = {
  purpose: string;
  email: string;
  sentAt: number;
  resendAt: number;
  /** Another page or device requested it a moment ago, and it may have been used since. */
  isEarlier?: boolean;
};

/** Returns the code of a history entry, unless it was for something else or is no longer valid. */
const findSentCode = (state: unknown, purpose: string): SentCode | undefined => {
  const { code } = (state ?? {}) as { code?: SentCode };
  return code?.purpose === purpose && Date.now() < code.sentAt + LIFETIME_MILLISECONDS ? code : undefined;
};

/** The code that a step has mailed, also after a reload or the back button; undefined before. */
export const useSentCode = (purpose: string): SentCode | undefined =>
  findSentCode(useHistoryState(), purpose);

/**
 * Sends a code, and returns when another one can be sent. A wait that the platform asks for is not a failure: an
 * earlier code may still be valid.
 */
const sendCode = async ({
  onSend,
  isStillGood,
}: Pick<Mail, 'onSend' | 'isStillGood'>): Promise<{ isEarlier: boolean; resendAt: number }> => {
  const { isEarlier, wait } = await onSend().then(
    ({ resendIn }) => ({ isEarlier: false, wait: resendIn }),
    async (error: unknown) => {
      if (!isPlatformError(error, 'RESEND_LOCKED')) throw error;
      const { retryAfterSeconds: wait = RESEND_SECONDS } = error;
      if (wait > RESEND_SECONDS || (await isStillGood?.()) === false) throw error;
      return { isEarlier: true, wait };
    },
  );
  return { isEarlier, resendAt: Date.now() + wait * 1_000 };
};

type Mail = {
  /** The purpose of the code. With the address, it tells which code a reload must not send again. */
  purpose: string;
  email: string;
  onSend: () => Promise<{ resendIn: number }>;
  /** Whether an earlier code may still be valid; by default nothing else can have replaced it. */
  isStillGood?: (() => Promise<boolean>) | undefined;
};

/** Sends a code, and keeps it in the entry of the history, or in a new one, from which the back button leads back. */
export const mailCode = async ({ purpose, email, ...mail }: Mail, { isNewEntry = false } = {}) => {
  const sent = await sendCode(mail);
  const code: SentCode = { purpose, email, sentAt: Date.now(), ...sent };
  const state = { ...history.state, code };
  if (isNewEntry) history.pushState(state, '');
  else history.replaceState(state, '');
  return sent;
};

type MailedCodeOptions = Mail & {
  /** When another code can be sent (milliseconds since 1970), if one was sent before this step was opened. */
  resendAt?: number | undefined;
  /** False if no code is wanted, such as for an address that is verified already. */
  isDue?: boolean;
  onError?: ((error: unknown) => void) | undefined;
};

export type MailedCode = {
  purpose: string;
  email: string;
  /** Undefined until a code was sent. */
  resendAt: number | undefined;
  /** The code was requested elsewhere, see `SentCode`. */
  isEarlier: boolean;
  isSending: boolean;
  error: unknown;
  /** The person has requested another code, and it was sent. */
  isResent: boolean;
  /** Changes with each code that the person has requested; as a `key`, it empties the field. */
  round: number;
  resend: () => void;
};

/**
 * Sends a code when the step is opened, unless `resendAt` or the entry of the history says that one was sent: a
 * reload must not make a code useless that is being read.
 */
export const useMailedCode = ({
  purpose,
  email,
  onSend,
  resendAt: sentBefore,
  isDue = true,
  onError,
}: MailedCodeOptions): MailedCode => {
  const queries = useQueryClient();
  const [remembered] = useState(() => {
    if (sentBefore !== undefined) return { resendAt: sentBefore };
    const code = findSentCode(history.state, purpose);
    return code?.email.toLowerCase() === email.toLowerCase() ? code : undefined;
  });
  const mutationKey = ['send-code', purpose];
  const send = useMutation({
    mutationKey,
    mutationFn: (_isResend: boolean) => mailCode({ purpose, email, onSend }),
    ...(onError && { onError }),
  });
  const begin = useEffectEvent(() => {
    // React may call an effect twice.
    if (isDue && remembered === undefined && queries.isMutating({ mutationKey }) === 0) send.mutate(false);
  });
  useEffect(() => begin(), []);
  const sent: Partial<SentCode> = send.data ?? remembered ?? {};
  const isResent = send.variables === true && send.data?.isEarlier === false;
  return {
    purpose,
    email,
    resendAt: sent.resendAt,
    isEarlier: sent.isEarlier === true,
    isSending: send.isPending,
    error: send.error,
    isResent,
    round: isResent ? send.submittedAt : 0,
    resend: () => send.mutate(true),
  };
};

import { randomInt, randomUUID } from 'node:crypto';
import type { Mail } from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { CodeHolder } from '../mail/stored-code.ts';
import { CODE_LIFETIME_SECONDS, type CodeSubject, RESEND_LOCK_SECONDS, resendLocked } from './email-code.ts';
import type { CodeRequester, EmailCodeStore } from './email-codes-store.ts';

/** `randomInt` is cryptographically secure. */
const generateCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

export type SentCode = { expiresIn: number; resendIn: number };
type Sending = CodeRequester & {
  subjects: CodeSubject[];
  holder?: CodeHolder;
  createMail: (code: string) => Mail;
};

type Dependencies = { codes: EmailCodeStore; mailQueue: Pick<MailQueue, 'add'> };

export const createCodeSender = ({ codes, mailQueue }: Dependencies) => {
  /** Best effort: if Redis is unavailable, the locks expire. */
  const release = async (subjects: CodeSubject[], code: string): Promise<void> => {
    await Promise.allSettled(subjects.map((subject) => codes.release(subject, code)));
  };

  /** Reserves all subjects or none. @throws AppError 429 RESEND_LOCKED */
  const reserve = async (sending: Sending, code: string): Promise<void> => {
    const { subjects } = sending;
    for (const [index, subject] of subjects.entries()) {
      const lockedSeconds = await codes.reserve(subject, code, sending);
      if (lockedSeconds === 0) continue;
      await release(subjects.slice(0, index), code);
      throw resendLocked(lockedSeconds);
    }
  };

  /** Does not use the outbox: if the mail cannot be queued, the request fails. */
  const send = async (sending: Sending, requestId: string): Promise<SentCode> => {
    const { subjects, holder, createMail } = sending;
    const code = generateCode();
    await reserve(sending, code);
    try {
      // The last subject decides whether the code is correct.
      const [storedCode] = subjects.slice(-1).map((subject) => codes.locate(subject, code));
      const mail = createMail(code);
      await mailQueue.add(randomUUID(), {
        mail,
        requestId,
        inOutbox: false,
        ...(storedCode && { storedCode: { ...storedCode, ...(holder && { holder }) } }),
      });
    } catch (error) {
      await release(subjects, code);
      throw error;
    }
    return { expiresIn: CODE_LIFETIME_SECONDS, resendIn: RESEND_LOCK_SECONDS };
  };
  return send;
};

/** @throws AppError 429 RESEND_LOCKED, 503 */
export type SendCode = ReturnType<typeof createCodeSender>;

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
  /** Whether the device has signed in to the account from its network. It may then request further codes. */
  isKnownDevice?: () => Promise<boolean>;
};

type Dependencies = { codes: EmailCodeStore; mailQueue: Pick<MailQueue, 'add'> };

export const createCodeSender = ({ codes, mailQueue }: Dependencies) => {
  /** Best effort: if Redis is unavailable, the locks expire. */
  const release = async (subjects: CodeSubject[], code: string): Promise<void> => {
    await Promise.allSettled(subjects.map((subject) => codes.release(subject, code)));
  };

  /** Returns the subject for which the code counts. @throws AppError 429 RESEND_LOCKED */
  const reserve = async (subject: CodeSubject, sending: Sending, code: string): Promise<CodeSubject> => {
    const seconds = await codes.reserve(subject, code, sending);
    if (seconds === 0) return subject;
    // Only the limits, which strangers can use up, cause a wait that is longer than the lock.
    if (seconds <= RESEND_LOCK_SECONDS || !(await sending.isKnownDevice?.())) throw resendLocked(seconds);
    const ofDevice: CodeSubject = { ...subject, isFromKnownDevice: true };
    const secondsOfDevice = await codes.reserve(ofDevice, code, sending);
    if (secondsOfDevice > 0) throw resendLocked(Math.min(seconds, secondsOfDevice));
    return ofDevice;
  };

  /** Does not use the outbox: if the mail cannot be queued, the request fails. */
  const send = async (sending: Sending, requestId: string): Promise<SentCode> => {
    const { subjects, holder, createMail } = sending;
    const code = generateCode();
    const reserved: CodeSubject[] = [];
    try {
      for (const subject of subjects) reserved.push(await reserve(subject, sending, code));
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
      await release(reserved, code);
      throw error;
    }
    return { expiresIn: CODE_LIFETIME_SECONDS, resendIn: RESEND_LOCK_SECONDS };
  };
  return send;
};

/** @throws AppError 429 RESEND_LOCKED, 503 */
export type SendCode = ReturnType<typeof createCodeSender>;

import { conflict, notFound } from '@platform/shared/errors/app-error';
import { maskAddress } from '@platform/shared/platform/mail/mail';
import type { StoredCode } from '@platform/shared/platform/mail/stored-code';
import { type MailCause, toMailCause } from './mail-cause.ts';

export type MailState = 'waiting' | 'failed';

/** A mail of the outbox. */
export type OutboxMail = {
  id: string;
  template: string;
  /** The other service whose mail it is. */
  service: string | null;
  address: string;
  /** The user whom the mail concerns; null if it must be sent even when accounts are deleted. */
  userId: string | null;
  createdAt: Date;
  failedAt: Date | null;
  failure: string | null;
  attempts: number;
  /** When the code of an invitation expires; null for other mails. */
  expiresAt: Date | null;
};

export type QueueState = 'waiting' | 'active' | 'delayed' | 'failed';

/** The job of a mail. A mail of the outbox has one when the worker has taken it from there. */
export type QueuedMail = {
  id: string;
  state: QueueState;
  template: string;
  recipient: string;
  /** The user whom the mail concerns; undefined if the queue must not tell, as for a reset. */
  userId: string | undefined;
  inOutbox: boolean;
  /** When the code in the mail expires. */
  expiresAt: Date | undefined;
  storedCode: StoredCode | undefined;
  createdAt: Date;
  attempts: number;
  failure: string | null;
  nextAttemptAt: Date | null;
};

export type ListedMail = {
  id: string;
  template: string;
  service: string | null;
  recipient: string;
  /** Undefined if the mail concerns nobody, or the queue must not tell whom. */
  userId: string | undefined;
  state: MailState;
  attempts: number;
  failure: string | null;
  cause: MailCause | null;
  createdAt: Date;
  nextAttemptAt: Date | null;
};

/** `user`: whom the mail concerns. */
export type ShownMail = Omit<ListedMail, 'userId'> & { user: { id: string; name: string | null } | null };

/** A mail to a user, without its text. */
export type UserMail = {
  id: string;
  /** The name of the template. */
  mail: string;
  service: string | null;
  recipient: string;
  state: 'waiting' | 'sent' | 'failed';
  /** When the state began. */
  at: Date;
  failure: string | null;
};

/** The mail of a code, which is only in the queue. */
export type WaitingCode = Pick<UserMail, 'id' | 'mail' | 'recipient' | 'at' | 'failure'>;

/** Counts the outbox and the queue together. */
export const MAX_LISTED = 1_000;

export const mailNotFound = () => notFound('MAIL_NOT_FOUND', 'Mail not found');
export const mailExpired = () => conflict('MAIL_EXPIRED', 'The code in the mail is no longer valid');
export const mailBeingSent = () => conflict('MAIL_BEING_SENT', 'The mail is being sent');

export const toMailState = (state: QueueState): MailState => (state === 'failed' ? 'failed' : 'waiting');

/** A mail that is only in the queue. */
export const toListedJob = (mail: QueuedMail): ListedMail => ({
  id: mail.id,
  template: mail.template,
  service: null,
  recipient: mail.recipient,
  userId: mail.userId,
  state: toMailState(mail.state),
  attempts: mail.attempts,
  failure: mail.failure,
  cause: toMailCause(mail.failure),
  createdAt: mail.createdAt,
  nextAttemptAt: mail.nextAttemptAt,
});

/**
 * A mail of the outbox. The outbox decides whether it failed: the worker queues it again when the attempts
 * of its job end.
 */
export const toListedRow = (
  { id, template, service, address, userId, createdAt, failedAt, failure, attempts }: OutboxMail,
  job?: QueuedMail,
): ListedMail => ({
  id,
  template,
  service,
  recipient: maskAddress(address),
  userId: userId ?? undefined,
  createdAt,
  ...(failedAt
    ? { state: 'failed', attempts, failure, cause: toMailCause(failure), nextAttemptAt: null }
    : {
        state: 'waiting',
        attempts: job?.attempts ?? 0,
        failure: job?.failure ?? null,
        cause: toMailCause(job?.failure ?? null),
        nextAttemptAt: job?.nextAttemptAt ?? null,
      }),
});

type Ordered = { createdAt: Date; id: string };

export const compareNewestFirst = (one: Ordered, other: Ordered): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (other.id < one.id ? -1 : 1);

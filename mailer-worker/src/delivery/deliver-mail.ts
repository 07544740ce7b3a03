import { SpanKind } from '@opentelemetry/api';
import type { Log } from '@platform/shared/log/log';
import {
  type AddressedMail,
  isNoticeMail,
  isServiceMessage,
  type Mail,
  type MailJob,
} from '@platform/shared/platform/mail/mail';
import {
  type MailCipher,
  openMailJob,
  type SealedMailJob,
} from '@platform/shared/platform/mail/mail-encryption';
import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { parseMailJob } from '@platform/shared/platform/mail/parse-mail-job';
import { continueTrace } from '@platform/shared/tracing/tracing';
import { type Job, UnrecoverableError } from 'bullmq';
import type { MailMetrics } from '../mail-metrics.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { RenderedMail } from '../templates/layout.ts';
import type { RenderMail } from '../templates/mail-templates.ts';
import type { RecordCode } from './code-records-store.ts';
import { findNoticeBudgets, type NoticeLimit } from './notice-limit.ts';
import { concernsAllMails, isPermanent, removeAddresses, type SmtpTransport } from './smtp-transport.ts';

/** Stored as the progress of a job, so that another worker does not send the mail again. */
const SENT = 'sent';

type Dependencies = {
  cipher: MailCipher;
  outbox: OutboxStore;
  recordCode: RecordCode;
  render: RenderMail;
  transport: SmtpTransport;
  isWithinLimit: NoticeLimit;
  log: Pick<Log, 'info'>;
  metrics: Pick<MailMetrics, 'countSent' | 'countDropped' | 'countServiceFailure'>;
};

const toSpanOptions = (mailId: string, { mail }: MailJob) => ({
  kind: SpanKind.CONSUMER,
  attributes: {
    'messaging.system': 'bullmq',
    'messaging.operation.name': 'deliver',
    'messaging.operation.type': 'process',
    'messaging.destination.name': MAIL_QUEUE,
    'messaging.message.id': mailId,
    'marketplace.mail.template': mail.template,
  },
});

/** The mail is not retried. If it comes from the outbox, its row is marked as failed. */
export class FinalDeliveryError extends UnrecoverableError {}

/** The mail server rejected this mail. */
export class RejectedMailError extends FinalDeliveryError {}

/** The mail server accepts no mails at the moment. */
export class MailServerError extends Error {}

const isDecoy = (mail: Mail): boolean => 'isDecoy' in mail && mail.isDecoy;

const isExpired = (mail: Mail): boolean => 'expiresAt' in mail && Date.parse(mail.expiresAt) < Date.now();

/**
 * SMTP has no exactly-once delivery. The mail is marked as sent right after sending, so it is sent twice only
 * if the worker crashes between the two; both copies have the same Message-ID.
 */
export const createMailDelivery = (dependencies: Dependencies) => {
  const { cipher, outbox, recordCode, render, transport, isWithinLimit, log, metrics } = dependencies;

  const parse = (data: SealedMailJob): MailJob => {
    try {
      return parseMailJob(openMailJob(data, cipher));
    } catch (error) {
      throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
    }
  };

  const wasSent = async ({ progress }: Job, id: string, inOutbox: boolean): Promise<boolean> =>
    progress === SENT || (inOutbox && !(await outbox.isPending(id)));

  const fail = async (job: Job, mail: Mail, inOutbox: boolean, error: FinalDeliveryError): Promise<never> => {
    metrics.countServiceFailure(mail);
    // BullMQ counts this attempt when it has ended.
    if (inOutbox) await outbox.markFailed(String(job.id), error.message, job.attemptsMade + 1);
    else await recordCode(String(job.id), mail, error.message);
    throw error;
  };

  const finish = async (job: Job, mail: AddressedMail, inOutbox: boolean): Promise<void> => {
    if (inOutbox) return await outbox.removeSent(String(job.id), mail.to);
    await job.updateProgress(SENT);
    await recordCode(String(job.id), mail);
  };

  /** A message of another service goes to the address that the user has now, if it is verified. */
  const addressOrFail = async (job: Job, { mail, userId, inOutbox }: MailJob): Promise<AddressedMail> => {
    if (!isServiceMessage(mail)) return mail;
    const recipient = userId === undefined ? undefined : await outbox.findRecipient(userId);
    if (recipient) return { ...mail, ...recipient };
    return await fail(job, mail, inOutbox, new FinalDeliveryError('The user has no verified address'));
  };

  /** Templates are pure functions, so rendering the mail again would fail again. */
  const renderOrFail = async (mail: AddressedMail, job: Job, inOutbox: boolean): Promise<RenderedMail> => {
    try {
      return render(mail);
    } catch (error) {
      const reason = `Cannot be rendered: ${(error as Error).message}`;
      return await fail(job, mail, inOutbox, new FinalDeliveryError(reason));
    }
  };

  const send = async (mail: AddressedMail, job: Job, inOutbox: boolean): Promise<void> => {
    const rendered = await renderOrFail(mail, job, inOutbox);
    try {
      await transport.send({ ...rendered, to: mail.to, messageId: String(job.id), template: mail.template });
    } catch (error) {
      const reason = removeAddresses((error as Error).message);
      if (isPermanent(error)) await fail(job, mail, inOutbox, new RejectedMailError(`Rejected: ${reason}`));
      throw concernsAllMails(error) ? new MailServerError(reason) : new Error(reason);
    }
  };

  const isTooMuch = async (mail: Mail, id: string, userId: string | undefined): Promise<boolean> => {
    if (!isNoticeMail(mail) || (await isWithinLimit(id, findNoticeBudgets(mail, userId)))) return false;
    metrics.countDropped({ template: mail.template });
    return true;
  };

  const deliver = async (job: Job, id: string, parsed: MailJob): Promise<boolean> => {
    const { mail, requestId, userId, inOutbox, askedAt } = parsed;
    if (isDecoy(mail) || (await wasSent(job, id, inOutbox))) return false;
    if (isExpired(mail))
      return fail(
        job,
        mail,
        inOutbox,
        new FinalDeliveryError('The code expired before its mail could be sent'),
      );
    if (await isTooMuch(mail, id, userId)) {
      await outbox.drop(id);
      return false;
    }
    const addressed = await addressOrFail(job, parsed);
    await send(addressed, job, inOutbox);
    await finish(job, addressed, inOutbox);
    metrics.countSent(mail, (Date.now() - (askedAt ? Date.parse(askedAt) : job.timestamp)) / 1_000);
    log.info({ mailId: id, template: mail.template, requestId }, 'mail sent');
    return true;
  };

  /** Resolves with whether the mail was sent. @throws MailServerError, FinalDeliveryError */
  return async (job: Job): Promise<boolean> => {
    const id = String(job.id);
    const parsed = parse(job.data);
    const spanOptions = toSpanOptions(id, parsed);
    return await continueTrace(parsed.traceparent, 'deliver mail', spanOptions, () =>
      deliver(job, id, parsed),
    );
  };
};

export type DeliverMail = ReturnType<typeof createMailDelivery>;

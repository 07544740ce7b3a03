import { SpanKind } from '@opentelemetry/api';
import { type MailJob, parseMailJob } from '@platform/shared/mail/mail';
import { MAIL_QUEUE } from '@platform/shared/mail/mail-queue';
import { continueTrace } from '@platform/shared/tracing/tracing';
import { UnrecoverableError } from 'bullmq';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { RenderedMail } from '../templates/layout.ts';
import type { RenderMail, SendableMail } from '../templates/mail-templates.ts';
import type { SmtpTransport } from './smtp-transport.ts';

type QueuedMail = {
  id: string;
  data: unknown;
  /** Stored with the job, so that another worker does not send the mail again. */
  isMarkedSent: boolean;
  /** In milliseconds since 1970. */
  queuedAt: number;
  markSent: () => Promise<void>;
};

type Dependencies = {
  outbox: OutboxStore;
  render: RenderMail;
  transport: SmtpTransport;
  log: (details: object, message: string) => void;
  onSent: (template: SendableMail['template'], ageSeconds: number) => void;
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

/** No attempt follows: the row of an outbox mail is marked as failed. */
export class FinalDeliveryError extends UnrecoverableError {}

/** SMTP commands whose rejection concerns the mail. Rejected logins, TLS or senders are configuration errors. */
const MAIL_COMMANDS: unknown[] = ['RCPT TO', 'DATA'];

const isPermanent = (error: unknown): boolean =>
  error instanceof Error &&
  'permanent' in error &&
  error.permanent === true &&
  'command' in error &&
  MAIL_COMMANDS.includes(error.command);

const isExpired = (mail: SendableMail): boolean =>
  'expiresAt' in mail && Date.parse(mail.expiresAt) < Date.now();

const parse = (data: unknown): MailJob => {
  try {
    return parseMailJob(data);
  } catch (error) {
    throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
  }
};

/**
 * SMTP has no exactly-once delivery. The mail is marked as sent right after sending: only a worker that crashes between
 * the two causes a second mail, which has the same Message-ID.
 */
export const createMailDelivery = ({ outbox, render, transport, log, onSent }: Dependencies) => {
  const wasSent = async ({ id, isMarkedSent }: QueuedMail, inOutbox: boolean): Promise<boolean> =>
    isMarkedSent || (inOutbox && !(await outbox.isPending(id)));

  /** Ends the delivery without further attempts. */
  const fail = async (id: string, inOutbox: boolean, reason: string): Promise<never> => {
    if (inOutbox) await outbox.markFailed(id, reason);
    throw new FinalDeliveryError(reason);
  };

  /** Templates are pure, so another attempt to render would fail too. */
  const renderOrFail = async (mail: SendableMail, id: string, inOutbox: boolean): Promise<RenderedMail> => {
    try {
      return render(mail);
    } catch (error) {
      return await fail(id, inOutbox, `Cannot be rendered: ${(error as Error).message}`);
    }
  };

  const deliver = async (job: QueuedMail, { mail, requestId, inOutbox, askedAt }: MailJob): Promise<void> => {
    if (mail.template === 'decoy' || (await wasSent(job, inOutbox))) return;
    if (isExpired(mail)) return fail(job.id, inOutbox, 'The code expired before its mail could be sent');
    const rendered = await renderOrFail(mail, job.id, inOutbox);
    try {
      await transport.send({ ...rendered, to: mail.to, messageId: job.id });
    } catch (error) {
      if (isPermanent(error)) return fail(job.id, inOutbox, `Refused: ${(error as Error).message}`);
      throw error;
    }
    await (inOutbox ? outbox.remove(job.id) : job.markSent());
    onSent(mail.template, (Date.now() - (askedAt ? Date.parse(askedAt) : job.queuedAt)) / 1_000);
    log({ mailId: job.id, template: mail.template, requestId }, 'mail sent');
  };

  return async (job: QueuedMail): Promise<void> => {
    const parsed = parse(job.data);
    const spanOptions = toSpanOptions(job.id, parsed);
    await continueTrace(parsed.traceparent, 'deliver mail', spanOptions, () => deliver(job, parsed));
  };
};

export type DeliverMail = ReturnType<typeof createMailDelivery>;

import { SpanKind } from '@opentelemetry/api';
import { type MailJob, parseMailJob } from '@platform/shared/mail/mail';
import { continueTrace } from '@platform/shared/tracing/tracing';
import { UnrecoverableError } from 'bullmq';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { RenderedMail } from '../templates/layout.ts';
import type { RealMail, RenderMail } from './render-mail.ts';
import type { SmtpTransport } from './smtp-transport.ts';

/** A queued mail, as far as its delivery needs it. */
export type QueuedMail = {
  id: string;
  data: unknown;
  /** Kept with the job: this mail went out, whatever happened to the worker afterwards. */
  isMarkedSent: boolean;
  /** In milliseconds since 1970. */
  queuedAt: number;
  markSent: () => Promise<void>;
};

type Dependencies = {
  outbox: OutboxStore;
  render: RenderMail;
  transport: SmtpTransport;
  note: (event: string, details: object) => void;
  onSent: (template: RealMail['template'], ageSeconds: number) => void;
};

const SPAN_OPTIONS = { kind: SpanKind.CONSUMER };

/** SMTP commands whose refusal is about the mail. One of the login, of TLS or of our own address is for us to mend. */
const ABOUT_THE_MAIL: unknown[] = ['RCPT TO', 'DATA'];

const isPermanent = (error: unknown): boolean =>
  error instanceof Error &&
  'permanent' in error &&
  error.permanent === true &&
  'command' in error &&
  ABOUT_THE_MAIL.includes(error.command);

const isExpired = (mail: RealMail): boolean => 'expiresAt' in mail && Date.parse(mail.expiresAt) < Date.now();

const parse = (data: unknown): MailJob => {
  try {
    return parseMailJob(data);
  } catch (error) {
    throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
  }
};

/**
 * Job → template → transport. SMTP cannot take a mail exactly once: what is sent is marked right after, so that only a
 * worker that dies between the two sends a mail again, under the same Message-ID.
 */
export const createMailDelivery = ({ outbox, render, transport, note, onSent }: Dependencies) => {
  const wasSent = async ({ id, isMarkedSent }: QueuedMail, inOutbox: boolean): Promise<boolean> =>
    isMarkedSent || (inOutbox && !(await outbox.isWaiting(id)));

  const refuse = async (id: string, inOutbox: boolean, reason: string): Promise<never> => {
    if (inOutbox) await outbox.markFailed(id, reason);
    throw new UnrecoverableError(reason);
  };

  /** Templates are pure: what one of them cannot render now it never will. */
  const renderOrRefuse = async (mail: RealMail, id: string, inOutbox: boolean): Promise<RenderedMail> => {
    try {
      return render(mail);
    } catch (error) {
      return await refuse(id, inOutbox, `Cannot be rendered: ${(error as Error).message}`);
    }
  };

  const deliver = async (job: QueuedMail, { mail, requestId, inOutbox, askedAt }: MailJob): Promise<void> => {
    if (mail.template === 'decoy' || (await wasSent(job, inOutbox))) return;
    if (isExpired(mail)) return refuse(job.id, inOutbox, 'The code expired before its mail could be sent');
    const rendered = await renderOrRefuse(mail, job.id, inOutbox);
    try {
      await transport.send({ ...rendered, to: mail.to, messageId: job.id });
    } catch (error) {
      if (isPermanent(error)) return refuse(job.id, inOutbox, `Refused: ${(error as Error).message}`);
      throw error;
    }
    await (inOutbox ? outbox.remove(job.id) : job.markSent());
    onSent(mail.template, (Date.now() - (askedAt ? Date.parse(askedAt) : job.queuedAt)) / 1_000);
    note('mail sent', { mailId: job.id, template: mail.template, requestId });
  };

  return async (job: QueuedMail): Promise<void> => {
    const parsed = parse(job.data);
    await continueTrace(parsed.traceparent, 'deliver mail', SPAN_OPTIONS, () => deliver(job, parsed));
  };
};

export type DeliverMail = ReturnType<typeof createMailDelivery>;

import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { setSpanAttributes, withSpan } from '@platform/shared/tracing/tracing';
import { createTransport } from 'nodemailer';
import { DARK_LOGO_ID, LOGO_ID, type RenderedMail } from '../templates/layout.ts';

/**
 * Their sum is well below the lock duration of a job, so a slow server cannot cause a second worker to send
 * the mail.
 */
const TIMEOUTS = {
  dnsTimeout: 3_000,
  connectionTimeout: 4_000,
  greetingTimeout: 4_000,
  socketTimeout: 8_000,
};

/** Exports the host and port only, because the URL also contains the account. */
const toSpanOptions = (url: string) => {
  const { hostname, port, protocol } = new URL(url);
  const defaultPort = protocol === 'smtps:' ? 465 : 587;
  const attributes = {
    'server.address': hostname,
    'server.port': port === '' ? defaultPort : Number(port),
    'network.protocol.name': 'smtp',
  };
  return { kind: SpanKind.CLIENT, attributes };
};

/**
 * The response `550 5.1.1 <user@example.com>: …` (RFC 5321, 4.2; RFC 3463). Its text may contain the address.
 */
const RESPONSE = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})(?!\S))?/;

const toResponseAttributes = (response: unknown): Attributes => {
  const [, code, enhancedCode] = (typeof response === 'string' && RESPONSE.exec(response)) || [];
  return {
    ...(code !== undefined && { 'smtp.response.status_code': Number(code) }),
    ...(enhancedCode !== undefined && { 'smtp.response.enhanced_status_code': enhancedCode }),
  };
};

const describeSmtpError = (error: unknown): Attributes =>
  error instanceof Error && 'response' in error ? toResponseAttributes(error.response) : {};

/**
 * SMTP commands whose rejection concerns the mail. A rejected login, TLS or sender is a configuration error.
 */
const MAIL_COMMANDS: unknown[] = ['RCPT TO', 'DATA'];

const getField = (error: unknown, name: 'code' | 'command' | 'permanent'): unknown =>
  error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;

/** Whether a retry would fail, too: 5xx for the recipient or the content. */
export const isPermanent = (error: unknown): boolean =>
  getField(error, 'permanent') === true && MAIL_COMMANDS.includes(getField(error, 'command'));

/** Whether the next mail would fail, too: no connection, no TLS, or a rejected login or sender. */
export const concernsAllMails = (error: unknown): boolean => {
  const code = getField(error, 'code');
  return code === 'EENVELOPE' ? getField(error, 'command') === 'MAIL FROM' : code !== 'EMESSAGE';
};

const ADDRESS = /[^\s"'<>();:,@]+@[^\s"'<>();,]+/g;

/** Servers often quote the recipient in their response, and BullMQ stores the reason of a failure. */
export const removeAddresses = (text: string): string => text.replace(ADDRESS, '…');

/** A plain string could be parsed as a list of addresses or inject a header. */
const toAddress = (address: string) => ({ name: '', address });

export type SmtpSettings = {
  url: string;
  requireTls: boolean;
  from: string;
  /** Used if `from` is an address without a name. */
  senderName: string;
  maxConnections: number;
  logo: Buffer | undefined;
  darkLogo: Buffer | undefined;
};

/** Attaches the logo to the mail, because mail programs block images of other hosts. */
const toInlineLogo = (content: Buffer, cid: string) => ({
  content,
  filename: `${cid}.png`,
  contentType: 'image/png',
  contentDisposition: 'inline' as const,
  cid,
});

type OutgoingMail = RenderedMail & { to: string; messageId: string; template: Mail['template'] };

export const createSmtpTransport = (settings: SmtpSettings) => {
  const { url, requireTls, from, senderName, maxConnections, logo, darkLogo } = settings;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections,
    maxMessages: 100,
    requireTLS: requireTls,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  });
  const spanOptions = toSpanOptions(url);
  const sender = from.includes('<') ? from : { name: senderName, address: from };
  const senderAddress = /<([^<>]+)>$/.exec(from)?.[1] ?? from;
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  const attachments = [
    ...(logo === undefined ? [] : [toInlineLogo(logo, LOGO_ID)]),
    ...(logo === undefined || darkLogo === undefined ? [] : [toInlineLogo(darkLogo, DARK_LOGO_ID)]),
  ];

  return {
    /** @throws the server's error; its `permanent` is true if a retry would fail, too */
    send: async ({
      to,
      sender: name,
      subject,
      text,
      html,
      replyTo,
      messageId,
      template,
    }: OutgoingMail): Promise<void> => {
      const message = {
        from: name === undefined ? sender : { name, address: senderAddress },
        to: toAddress(to),
        ...(replyTo !== undefined && { replyTo: toAddress(replyTo) }),
        subject,
        text,
        html,
        attachments,
        messageId: `<${messageId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Mail-Template': template },
      };
      const work = async () => {
        const { response } = await transport.sendMail(message);
        setSpanAttributes(toResponseAttributes(response));
      };
      await withSpan('SMTP', spanOptions, work, describeSmtpError);
    },
    close: () => transport.close(),
  };
};

export type SmtpTransport = ReturnType<typeof createSmtpTransport>;

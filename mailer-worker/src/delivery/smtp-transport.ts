import { SpanKind } from '@opentelemetry/api';
import { withSpan } from '@platform/shared/tracing/tracing';
import { createTransport } from 'nodemailer';
import type { SmtpSettings } from '../config.ts';
import type { RenderedMail } from '../templates/layout.ts';

/** Together well below the lock of a job, so that a slow server cannot make a second worker take the same mail. */
const TIMEOUTS = {
  dnsTimeout: 3_000,
  connectionTimeout: 4_000,
  greetingTimeout: 4_000,
  socketTimeout: 8_000,
};

const SPAN_OPTIONS = { kind: SpanKind.CLIENT };

export type OutgoingMail = RenderedMail & { to: string; messageId: string };

export const createSmtpTransport = ({ url, requireTls, from, maxConnections }: SmtpSettings) => {
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
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';

  return {
    /** @throws the server's refusal; `permanent` is true on it when another try is useless. */
    send: async ({ to, subject, text, html, messageId }: OutgoingMail): Promise<void> => {
      await withSpan('SMTP', SPAN_OPTIONS, () =>
        transport.sendMail({
          from,
          // An object, so that an address is an address and never a list or a header.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      );
    },
    close: () => transport.close(),
  };
};

export type SmtpTransport = ReturnType<typeof createSmtpTransport>;

import { SpanKind } from '@opentelemetry/api';
import { withSpan } from '@platform/shared/tracing/tracing';
import { createTransport } from 'nodemailer';
import type { SmtpSettings } from '../config.ts';
import type { RenderedMail } from '../templates/layout.ts';

/** Their sum is well below the lock duration of a job, so a slow server cannot cause a second worker to send the mail. */
const TIMEOUTS = {
  dnsTimeout: 3_000,
  connectionTimeout: 4_000,
  greetingTimeout: 4_000,
  socketTimeout: 8_000,
};

const SPAN_OPTIONS = { kind: SpanKind.CLIENT };

type OutgoingMail = RenderedMail & { to: string; messageId: string };

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
    /** @throws the server's error; its `permanent` is true when a retry is useless. */
    send: async ({ to, subject, text, html, messageId }: OutgoingMail): Promise<void> => {
      await withSpan('SMTP', SPAN_OPTIONS, () =>
        transport.sendMail({
          from,
          // As a string, an address could be parsed as a list or inject a header.
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

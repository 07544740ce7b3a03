import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Envelope } from './mail.ts';

const maxMailBytes = 5 * 1024 * 1024;
const maxRecipients = 100;
const maxClients = 100;

/** An error with the SMTP code that the sender is told: 4xx asks it to try again, 5xx to give up. */
const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** Reads the stream to its end, as the protocol needs, but keeps no more than a mail may have. */
const readMessage = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes <= maxMailBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > maxMailBytes) throw smtpError(552, `A mail may have ${maxMailBytes} bytes`);
  return Buffer.concat(chunks);
};

/**
 * An SMTP server that takes every mail from anyone, without authentication or TLS: for a loopback address only. A mail
 * is acknowledged when `accept` has settled.
 */
export const createSmtpListener = (
  accept: (raw: Buffer, envelope: Envelope) => Promise<unknown>,
): SMTPServer => {
  const server = new SMTPServer({
    name: 'inbox',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: maxMailBytes,
    maxClients,
    closeTimeout: 500,
    onRcptTo: (_address, session, done) => {
      const isFull = session.envelope.rcptTo.length >= maxRecipients;
      done(isFull ? smtpError(452, 'Too many recipients') : null);
    },
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map((recipient) => recipient.address),
      };
      readMessage(stream)
        .then((raw) => accept(raw, envelope))
        .then(
          () => done(null),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
    },
  });
  server.on('error', (error) => console.error('inbox: SMTP:', error.message)); // a client that went away, mostly
  return server;
};

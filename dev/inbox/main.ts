// The process of the development inbox: receives mail over SMTP, only on 127.0.0.1, and shows it over HTTP.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHostCheck } from '@platform/shared/network/known-hosts';
import { requireKnownHost } from '@platform/shared/server/require-known-host';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { createInboxApp } from './inbox-app.ts';
import type { Envelope } from './mail.ts';
import { openMailStore } from './mail-store.ts';
import { createMailboxes, type Mailboxes } from './mailboxes.ts';

const host = '127.0.0.1';

const readPort = (name: string): number => {
  const port = Number(process.env[name]);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} is "${process.env[name]}", which is not a port`);
};

const maxMailBytes = 5 * 1024 * 1024;
const maxRecipients = 100;
const maxClients = 100;

/** An error with the SMTP code of the response: 4xx is temporary, 5xx permanent. */
const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** Reads the stream to its end, as the protocol requires, but discards a mail that is too large. */
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
 * Creates an SMTP server that accepts every mail, unless a mailbox rejects it, without authentication or TLS, so it
 * must use a loopback address. A mail is acknowledged after `accept` has resolved.
 */
const createSmtpListener = (
  accept: (raw: Buffer, envelope: Envelope) => Promise<unknown>,
  mailboxes: Mailboxes,
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
    onRcptTo: ({ address }, session, done) => {
      const isFull = session.envelope.rcptTo.length >= maxRecipients;
      if (isFull) return done(smtpError(452, 'Too many recipients'));
      const rejection = mailboxes.take(address);
      return done(rejection ? smtpError(rejection.code, rejection.text) : null);
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
  server.on('error', (error) => console.error('inbox: SMTP:', error.message)); // mostly clients that have disconnected
  return server;
};

const webPort = readPort('INBOX_PORT');
const smtpPort = readPort('INBOX_SMTP_PORT');
const directory = process.env.INBOX_DIR;
if (!directory) throw new Error('INBOX_DIR is required: the directory of the mails');

const store = await openMailStore(directory);
const mailboxes = createMailboxes();
const smtp = createSmtpListener(store.add, mailboxes);
const { INBOX_HOST: webHost = host, INBOX_URL: publicUrl } = process.env;
const web = createServer(requireKnownHost(createHostCheck([publicUrl]), createInboxApp(store, mailboxes)));
// The readiness check uses the web port, so SMTP has to listen first.
await once(smtp.listen(smtpPort, host), 'listening');
await once(web.listen(webPort, webHost), 'listening');
console.log(`inbox: SMTP on ${host}:${smtpPort}, page on http://${webHost}:${webPort}`);

const stop = () => {
  web.close();
  web.closeAllConnections();
  smtp.close(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Mail, readMail } from '../inbox/mail.ts';

const HOST = '127.0.0.1';
/** Stands for every address. */
export const EVERYBODY = '*';

/** The response for one address: `code` 4xx is a temporary, 5xx a permanent failure. */
type Rejection = { at: 'sender' | 'recipient' | 'data'; code: number; times?: number };

/** The message quotes the address, as many servers do. */
const smtpError = (code: number, address = ''): Error =>
  Object.assign(new Error(`Rejected by the test <${address}>`), { responseCode: code });

const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Settings and received mails, which are kept when the server restarts. */
const createState = () => {
  const mails: Mail[] = [];
  const attempts = new Map<string, string[]>();
  const rejections = new Map<string, Rejection>();
  const memory = {
    mails,
    attempts,
    refusals: rejections,
    slowMilliseconds: 0,
    acceptsLogins: false,
    loginTimes: [] as number[],
    arrivals: new Map<string, number>(),
    recordAttempt: (to: string, messageId: string) => {
      attempts.set(to, [...(attempts.get(to) ?? []), messageId]);
    },
    findRejection: (to: string, at: Rejection['at']): Error | undefined => {
      const refusal = rejections.get(to) ?? rejections.get(EVERYBODY);
      if (refusal?.at !== at) return undefined;
      const times = (refusal.times ?? Number.POSITIVE_INFINITY) - 1;
      if (Number.isFinite(times)) rejections.set(to, { ...refusal, times });
      if (times <= 0) rejections.delete(to);
      return smtpError(refusal.code, to);
    },
  };
  return memory;
};

type State = ReturnType<typeof createState>;

const receive = async (memory: State, raw: Buffer, to: string[]): Promise<void> => {
  const mail = await readMail(String(memory.mails.length), raw);
  for (const address of to) memory.recordAttempt(address, mail.messageId ?? '');
  await delay(memory.slowMilliseconds);
  const refusal = to.map((address) => memory.findRejection(address, 'data')).find((found) => found);
  if (refusal) throw refusal;
  memory.mails.push(mail);
  for (const address of to) if (!memory.arrivals.has(address)) memory.arrivals.set(address, Date.now());
};

const serverOptions = (memory: State): SMTPServerOptions => ({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  closeTimeout: 100,
  onAuth: ({ username = '' }, _session, done) => {
    memory.loginTimes.push(Date.now());
    if (memory.acceptsLogins) done(null, { user: username });
    else done(smtpError(535, username));
  },
  onMailFrom: (_address, _session, done) => done(memory.findRejection(EVERYBODY, 'sender')),
  onRcptTo: ({ address }, _session, done) => {
    const refusal = memory.findRejection(address, 'recipient');
    if (refusal) memory.recordAttempt(address, '');
    done(refusal);
  },
  onData: (stream, session, done) => {
    const to = session.envelope.rcptTo.map(({ address }) => address);
    readAll(stream)
      .then((raw) => receive(memory, raw, to))
      .then(() => done(), done);
  },
});

const listen = async (memory: State, port: number) => {
  const server = new SMTPServer(serverOptions(memory));
  server.on('error', () => undefined); // a client that disconnected
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, HOST), 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  };
};

/**
 * Starts an SMTP server in the test process that rejects logins and mails, delays responses and goes down on
 * demand.
 */
export const startFakeSmtpServer = async () => {
  const memory = createState();
  let server = await listen(memory, 0);
  const { port } = server;
  return {
    url: `smtp://${HOST}:${port}`,
    /** The accepted mails, oldest first. */
    mails: () => [...memory.mails],
    /** The time of the first accepted mail to the address, in milliseconds since 1970. */
    arrivedAt: (to: string) => memory.arrivals.get(to),
    /**
     * The Message-ID of every attempt for an address, including rejected ones; empty if it was rejected
     * before the data.
     */
    attemptsFor: (to: string) => memory.attempts.get(to) ?? [],
    refuse: (to: string, refusal: Rejection) => memory.refusals.set(to, refusal),
    acceptAgain: (to: string) => memory.refusals.delete(to),
    /** Delays the response to each received mail. */
    slowDown: (milliseconds: number) => {
      memory.slowMilliseconds = milliseconds;
    },
    /** Sets whether logins are accepted. At first, none is. */
    acceptLogins: (accepts: boolean) => {
      memory.acceptsLogins = accepts;
    },
    /** The times of all logins, in milliseconds since 1970. */
    loginTimes: () => [...memory.loginTimes],
    /** Rejects new connections and destroys the open ones. */
    goDown: () => server.close(),
    comeBack: async () => {
      server = await listen(memory, port);
    },
    stop: () => server.close(),
  };
};

export type FakeSmtpServer = Awaited<ReturnType<typeof startFakeSmtpServer>>;

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Mail, readMail } from '../inbox/mail.ts';

const HOST = '127.0.0.1';

/** How the stand-in answers about one address: `code` 4xx asks to try again, 5xx to give up. */
export type Refusal = { at: 'recipient' | 'data'; code: number; times?: number };

export type SmtpStandIn = {
  url: string;
  /** The mails that it took, oldest first. */
  mails: () => Mail[];
  /** What was handed over for an address, the refused included: the Message-ID, or the empty text before the data. */
  attemptsFor: (to: string) => string[];
  refuse: (to: string, refusal: Refusal) => void;
  /** How long it thinks about each mail that it has received before it takes it. */
  slowDown: (milliseconds: number) => void;
  /** From now on every connection is refused; what is open breaks. */
  goDown: () => Promise<void>;
  comeBack: () => Promise<void>;
  stop: () => Promise<void>;
};

const smtpError = (code: number): Error =>
  Object.assign(new Error('Refused by the test'), { responseCode: code });

const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** What it was told and what it has seen; outlives the server, which goes down and comes back. */
const createMemory = () => {
  const mails: Mail[] = [];
  const attempts = new Map<string, string[]>();
  const refusals = new Map<string, Refusal>();
  const memory = {
    mails,
    attempts,
    refusals,
    slowMilliseconds: 0,
    noteAttempt: (to: string, messageId: string) => {
      attempts.set(to, [...(attempts.get(to) ?? []), messageId]);
    },
    findRefusal: (to: string, at: Refusal['at']): Error | undefined => {
      const refusal = refusals.get(to);
      if (refusal?.at !== at) return undefined;
      const times = (refusal.times ?? Number.POSITIVE_INFINITY) - 1;
      if (times <= 0) refusals.delete(to);
      else refusals.set(to, { ...refusal, times });
      return smtpError(refusal.code);
    },
  };
  return memory;
};

type Memory = ReturnType<typeof createMemory>;

const take = async (memory: Memory, raw: Buffer, to: string[]): Promise<void> => {
  const mail = await readMail(String(memory.mails.length), raw);
  for (const address of to) memory.noteAttempt(address, mail.messageId ?? '');
  await delay(memory.slowMilliseconds);
  const refusal = to.map((address) => memory.findRefusal(address, 'data')).find((found) => found);
  if (refusal) throw refusal;
  memory.mails.push(mail);
};

const serverOptions = (memory: Memory): SMTPServerOptions => ({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  closeTimeout: 100,
  onAuth: (_auth, _session, done) => done(smtpError(535)),
  onRcptTo: ({ address }, _session, done) => {
    const refusal = memory.findRefusal(address, 'recipient');
    if (refusal) memory.noteAttempt(address, '');
    done(refusal);
  },
  onData: (stream, session, done) => {
    const to = session.envelope.rcptTo.map(({ address }) => address);
    readAll(stream)
      .then((raw) => take(memory, raw, to))
      .then(() => done(), done);
  },
});

const listen = async (memory: Memory, port: number) => {
  const server = new SMTPServer(serverOptions(memory));
  server.on('error', () => undefined); // a client that went away
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

/** A real SMTP server, in the test's own process, that refuses, dawdles and goes away when it is told to. It knows no password. */
export const startSmtpStandIn = async (): Promise<SmtpStandIn> => {
  const memory = createMemory();
  let server = await listen(memory, 0);
  const { port } = server;
  return {
    url: `smtp://${HOST}:${port}`,
    mails: () => [...memory.mails],
    attemptsFor: (to) => memory.attempts.get(to) ?? [],
    refuse: (to, refusal) => memory.refusals.set(to, refusal),
    slowDown: (milliseconds) => {
      memory.slowMilliseconds = milliseconds;
    },
    goDown: () => server.close(),
    comeBack: async () => {
      server = await listen(memory, port);
    },
    stop: () => server.close(),
  };
};

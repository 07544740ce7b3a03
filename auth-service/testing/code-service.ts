import { type Mail, parseMailJob } from '@platform/shared/platform/mail/mail';
import { createMailCipher, openMailJob } from '@platform/shared/platform/mail/mail-encryption';
import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import type { AccountKind, AuthClient, Device } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { type RunningAuthService, startAuthService, useRunning } from './auth-service.ts';

/** Tests decrypt the queued codes with this secret. */
export const CODE_SECRET = 'code-secret-of-the-tests-0000000000001';

type Access = Pick<Device, 'accessToken'>;

export type RunningCodeService = RunningAuthService & {
  redis: TestRedis;
  /** The variables beyond the minimal ones, for starting a second instance. */
  environment: Record<string, string>;
  /** The mails and decoys in the queue, oldest first. */
  queuedMails: () => Promise<Mail[]>;
  /** Returns the newest code that is queued for the address and encrypted with the secret. */
  codeFor: (email: string, secret?: string) => Promise<string>;
  /** The mails in the queue for this address, without decoys. */
  queuedFor: (email: string) => Promise<Mail[]>;
  /** Requests a code that resets the password; returns it. */
  requestResetCode: (kind: AccountKind, email: string) => Promise<string>;
  /** Requests a code that verifies the e-mail; returns it. */
  requestVerificationCode: (kind: AccountKind, device: Access, email: string) => Promise<string>;
  /** The notifications in the outbox for this address. */
  outboxFor: (email: string) => Promise<Mail[]>;
  /** The templates of these notifications. */
  templatesFor: (email: string) => Promise<string[]>;
};

/** The mails that were encrypted with the secret, oldest first. */
const readQueue = async (queue: Queue, secret: string): Promise<Mail[]> => {
  const cipher = createMailCipher({ current: secret, previous: [] });
  const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed']);
  const oldestFirst = jobs.sort((one, other) => one.timestamp - other.timestamp);
  return oldestFirst.flatMap(({ data }) => {
    try {
      return [parseMailJob(openMailJob(data, cipher)).mail];
    } catch (error) {
      if (error instanceof AggregateError) return [];
      throw error;
    }
  });
};

/** Makes every addition to the mail queue fail. Returns a function that repairs it. */
export const breakMailQueue = async ({ client }: TestRedis): Promise<() => Promise<void>> => {
  // BullMQ uses this key as a counter, so its scripts fail.
  const key = `bull:${MAIL_QUEUE}:id`;
  const count = await client.getDel(key);
  await client.lPush(key, 'no number');
  return async () => {
    await client.del(key);
    await client.set(key, count ?? '0');
  };
};

/** Starts the service on a new database and Redis, without a mail worker. */
export const startCodeService = async (
  environment: Record<string, string> = {},
): Promise<RunningCodeService> => {
  const redis = await createTestRedis();
  const variables = {
    CODE_SECRET_KEY: CODE_SECRET,
    REDIS_URL: redis.url,
    ...environment,
  };
  const auth = await startAuthService(variables);
  const queue = new Queue(MAIL_QUEUE, { connection: redis.client });
  const queuedMails = () => readQueue(queue, CODE_SECRET);
  const queuedFor = async (email: string, secret = CODE_SECRET): Promise<Mail[]> =>
    (await readQueue(queue, secret)).filter(
      (mail) => mail.to === email && !('isDecoy' in mail && mail.isDecoy),
    );
  const codeFor = async (email: string, secret?: string): Promise<string> => {
    const codes = (await queuedFor(email, secret)).flatMap((mail) => ('code' in mail ? [mail.code] : []));
    const code = codes.at(-1);
    if (code === undefined) throw new Error(`No code is queued for ${email}`);
    return code;
  };
  const codeSentTo = async (email: string, sending: Promise<HttpResponse>): Promise<string> => {
    const { status, text } = await sending;
    expect(status, text).to.equal(200);
    return await codeFor(email);
  };
  const outboxFor = async (email: string): Promise<Mail[]> => {
    const text = "select mail from mail_outbox where mail ->> 'to' = $1 order by created_at";
    return (await auth.records.query<{ mail: Mail }>(text, [email])).map(({ mail }) => mail);
  };
  return {
    ...auth,
    redis,
    environment: variables,
    queuedMails,
    queuedFor,
    codeFor,
    requestResetCode: (kind, email) => codeSentTo(email, auth.client(kind).sendResetCode({ email })),
    requestVerificationCode: (kind, device, email) =>
      codeSentTo(email, auth.client(kind).sendVerificationCode(device)),
    outboxFor,
    templatesFor: async (email) => (await outboxFor(email)).map(({ template }) => template),
    stop: async () => {
      await auth.stop();
      await queue.close();
      await redis.drop();
    },
  };
};

export const useCodeService = (environment: Record<string, string> = {}) =>
  useRunning(() => startCodeService(environment));

export const getOtherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** A mailed code, and the requests that submit it and send the next one. */
export type CodeFixture = {
  code: string;
  email: string;
  /**
   * Submits the code from the network of this machine, or from `address`, which is sent as X-Forwarded-For.
   */
  attempt: (code: string, address?: string) => Promise<HttpResponse>;
  send: () => Promise<HttpResponse>;
  /** Sends and returns the next code, after the resend lock of two minutes. */
  resend: () => Promise<string>;
};

type Purpose = {
  name: string;
  success: number;
  begin: (client: AuthClient, service: RunningCodeService) => Promise<CodeFixture>;
};

const begin = async (
  email: string,
  { redis, codeFor }: RunningCodeService,
  { attempt, send }: Pick<CodeFixture, 'attempt' | 'send'>,
): Promise<CodeFixture> => {
  const sendAndRead = async () => {
    const { status, text } = await send();
    expect(status, text).to.equal(200);
    return await codeFor(email);
  };
  const resend = async () => {
    await redis.passTime(120);
    return await sendAndRead();
  };
  return { code: await sendAndRead(), email, attempt, send, resend };
};

const from = (address: string | undefined) => ({ 'X-Forwarded-For': address });

const VERIFICATION: Purpose = {
  name: 'for e-mail verification',
  success: 200,
  begin: async (client, service) => {
    const { account, device } = await client.createAccountAndDevice();
    return await begin(account.email, service, {
      attempt: (code, address) => client.verifyEmail(device, { code }, from(address)),
      send: () => client.sendVerificationCode(device),
    });
  },
};

export const RESET: Purpose = {
  name: 'for a password reset',
  success: 204,
  begin: async (client, service) => {
    const { email } = await client.createAccount();
    return await begin(email, service, {
      attempt: (code, address) =>
        client.resetPassword({ email, code, newPassword: 'A better horse 2' }, from(address)),
      send: () => client.sendResetCode({ email }),
    });
  },
};

export const PURPOSES = [VERIFICATION, RESET];

export const times = <Result>(count: number, work: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => work(index));

/** Returns codes that are all different from the correct one. */
export const getWrongCodes = (code: string, count: number): string[] => {
  let wrong = code;
  return times(count, () => {
    wrong = getOtherCode(wrong);
    return wrong;
  });
};

export const getAttackerAddress = (index: number): string => `203.0.113.${index + 1}`;

/** Sends concurrent wrong attempts from four networks, so that up to 20 are all counted. */
export const attemptFromNetworks = (
  { attempt, code }: Pick<CodeFixture, 'attempt' | 'code'>,
  count: number,
): Promise<HttpResponse[]> =>
  Promise.all(
    getWrongCodes(code, count).map((wrong, index) => attempt(wrong, getAttackerAddress(index % 4))),
  );

import { unavailable } from '@platform/shared/errors/app-error';
import type { AddressedMail } from '@platform/shared/platform/mail/mail';
import {
  type MailCipher,
  openMailJob,
  type SealedMailJob,
} from '@platform/shared/platform/mail/mail-encryption';
import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { isStored } from '@platform/shared/platform/mail/stored-code';
import { connectRedis, untilReady, withRedisTimeout } from '@platform/shared/redis/redis';
import { type Job, Queue } from 'bullmq';
import { MAX_LISTED, type MailState, type QueuedMail, type QueueState, toMailState } from './mail.ts';

type MailJob = Job<SealedMailJob>;
type BullState = 'wait' | 'prioritized' | 'active' | 'delayed' | 'failed';

/** BullMQ's sets of jobs. A mail with a priority waits as `prioritized`. */
const STATES: Record<BullState, QueueState> = {
  wait: 'waiting',
  prioritized: 'waiting',
  active: 'active',
  delayed: 'delayed',
  failed: 'failed',
};

/** The ids of all mails. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How many waiting jobs are read. The mails of the outbox among them, which are not listed here, are fewer. */
const MAX_READ = 5_000;
/** The client accepts 5,000 commands at a time. */
const BATCH_SIZE = 500;
/** The score of a delayed job is its time, followed by 12 bits that order the jobs of a millisecond. */
const SCORE_STEPS = 0x1000;

const FRESH = { resetAttemptsMade: true, resetAttemptsStarted: true };
/** BullMQ's codes of a job that is gone or in another state. */
const OTHER_STATE = [-1, -3];

/** Meanwhile the delay of the job has ended, or another request has made the same change. */
const ignoreOtherState = (error: Error & { code?: number }): void => {
  if (!OTHER_STATE.includes(error.code ?? 0)) throw error;
};

/** The time of each failure. One command, because an open overview asks each minute, and 1,000 jobs may have failed. */
const FAILED_CODES = `-- list-failed-codes
  local times = {}
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local job = redis.call('HMGET', ARGV[1] .. id, 'data', 'finishedOn')
    if job[1] and not cjson.decode(job[1]).inOutbox then table.insert(times, job[2]) end
  end
  return times`;

type Options = {
  queueRedisUrl: string;
  /** Where codes are stored. */
  redisUrl: string | undefined;
  cipher: MailCipher;
  onError: (error: Error) => void;
};

/** Every method throws AppError 503 if Redis is unavailable. */
export const createQueueAdapter = ({ queueRedisUrl, redisUrl, cipher, onError }: Options) => {
  const redis = connectRedis(queueRedisUrl, onError);
  const codes =
    redisUrl === undefined || redisUrl === queueRedisUrl ? redis : connectRedis(redisUrl, onError);
  const queue = new Queue<SealedMailJob>(MAIL_QUEUE, {
    connection: redis,
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  queue.on('error', onError);

  /** The first request connects. */
  const run = async <Result>(command: () => Promise<Result>): Promise<Result> => {
    await untilReady(redis).catch((cause: unknown) => {
      throw unavailable('Mail queue unavailable; retry later.', cause);
    });
    return await withRedisTimeout(command());
  };

  const readNextAttempt = async (id: string): Promise<Date | null> => {
    const score = await redis.zScore(queue.toKey('delayed'), id);
    return score === null ? null : new Date(Math.floor(score / SCORE_STEPS));
  };

  const toQueuedMail = async (id: string, job: MailJob, state: QueueState): Promise<QueuedMail> => {
    // Jobs of an older release lack some fields.
    const { recipient = '…', userId, inOutbox, expiresAt, storedCode }: Partial<SealedMailJob> = job.data;
    return {
      id,
      state,
      template: job.name,
      recipient,
      userId: userId ?? storedCode?.holder?.id,
      inOutbox: inOutbox === true,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      storedCode,
      createdAt: new Date(job.timestamp),
      attempts: job.attemptsMade,
      failure: job.failedReason ?? null,
      nextAttemptAt: state === 'delayed' ? await readNextAttempt(id) : null,
    };
  };

  const read = async (id: string, state: QueueState): Promise<QueuedMail[]> => {
    const job = await queue.getJob(id);
    return job ? [await toQueuedMail(id, job, state)] : [];
  };

  const findState = async (id: string): Promise<QueueState | undefined> => {
    const state = await run(() => queue.getJobState(id));
    return state === 'waiting' ? state : STATES[state as BullState];
  };

  return {
    /** The state of each mail, or of each one in this state of the list. */
    listStates: async (wanted?: MailState): Promise<Map<string, QueueState>> => {
      const states = new Map<string, QueueState>();
      for (const [name, state] of Object.entries(STATES) as [BullState, QueueState][]) {
        if (wanted !== undefined && toMailState(state) !== wanted) continue;
        // Only codes wait without a priority.
        const last = name === 'wait' ? MAX_LISTED : MAX_READ;
        const ids = await run(() => queue.getRanges([name], 0, last));
        for (const id of ids.filter((each) => UUID.test(each))) states.set(id, state);
      }
      return states;
    },

    /** Leaves out the mails that have meanwhile been sent. */
    readAll: async (states: ReadonlyMap<string, QueueState>): Promise<QueuedMail[]> => {
      const entries = [...states];
      const found: QueuedMail[] = [];
      for (let start = 0; start < entries.length; start += BATCH_SIZE) {
        const batch = entries.slice(start, start + BATCH_SIZE);
        const mails = await run(() => Promise.all(batch.map(([id, state]) => read(id, state))));
        found.push(...mails.flat());
      }
      return found;
    },

    /** The times at which mails failed that are only in the queue. */
    listFailedCodes: async (): Promise<Date[]> => {
      const options = { keys: [queue.toKey('failed')], arguments: [queue.toKey('')] };
      const times = await run(() => redis.eval(FAILED_CODES, options));
      return (times as string[]).map((at) => new Date(Number(at)));
    },

    find: async (id: string): Promise<QueuedMail | undefined> => {
      const state = await findState(id);
      return state && (await run(() => read(id, state)))[0];
    },

    /** Whether the code in the mail is neither expired, used, exhausted nor replaced; true for a mail without one. */
    isValid: async ({ expiresAt, storedCode }: QueuedMail): Promise<boolean> => {
      if (expiresAt === undefined) return true;
      if (expiresAt.getTime() <= Date.now()) return false;
      return storedCode === undefined || redisUrl === undefined || (await isStored(codes, storedCode));
    },

    /**
     * The mail, which the queue has encrypted. Undefined if it was sent meanwhile, or if no worker could send it,
     * because its key is lost.
     */
    open: async ({ id }: QueuedMail): Promise<AddressedMail | undefined> => {
      const job = await run(() => queue.getJob(id));
      try {
        return job && (openMailJob(job.data, cipher).mail as AddressedMail);
      } catch (error) {
        if (error instanceof AggregateError) return undefined;
        throw error;
      }
    },

    /** Lets the mail wait for a worker, without a delay; a failed one gets new attempts. */
    sendNow: ({ id, state }: QueuedMail): Promise<void> =>
      run(async () => {
        const job = await queue.getJob(id);
        if (state === 'delayed') await job?.promote().catch(ignoreOtherState);
        if (state === 'failed') await job?.retry('failed', FRESH).catch(ignoreOtherState);
      }),

    /** False if a worker is sending the mail. */
    remove: async (id: string): Promise<boolean> => (await run(() => queue.remove(id))) === 1,

    close: async (): Promise<void> => {
      await queue.close();
      redis.destroy();
      if (codes !== redis) codes.destroy();
    },
  };
};

export type QueueAdapter = ReturnType<typeof createQueueAdapter>;

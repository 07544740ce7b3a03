import { AppError } from '@platform/shared/errors/app-error';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { maskAddress } from '@platform/shared/platform/mail/mail';
import type { InTransactionBy } from '../infrastructure.ts';
import type { InvitationStore } from '../invitations/invitations-store.ts';
import {
  compareNewestFirst,
  type ListedMail,
  MAX_LISTED,
  type MailState,
  mailBeingSent,
  mailExpired,
  mailNotFound,
  type OutboxMail,
  type QueuedMail,
  type ShownMail,
  toListedJob,
  toListedRow,
  type WaitingCode,
} from './mail.ts';
import type { QueueAdapter } from './mail-queue-adapter.ts';
import type { MailStore } from './mails-store.ts';

export type MailStores = {
  mails: MailStore;
  invitations: Pick<InvitationStore, 'isOwned'>;
  audit: AuditLog;
};

type Dependencies = {
  stores: Pick<MailStores, 'mails'>;
  inTransaction: InTransactionBy<MailStores>;
  openQueue: () => Promise<QueueAdapter>;
};

type MailQuery = { state?: MailState | undefined; page?: number | undefined; perPage?: number | undefined };
type MailPage = { data: ShownMail[]; total: number; totalCapped?: true; page: number; perPage: number };

/** A mail as locked by a transaction: `row` if it is in the outbox, `job` if it is in the queue. */
type FoundMail = { row?: OutboxMail; job?: QueuedMail; template: string };

/** The row is gone after a deletion, so the record names the user whom the mail concerns. */
const toMailAudit = (
  by: ByAdministrator,
  action: 'MAIL_DELETED' | 'MAIL_RETRIED',
  targetId: string,
  { row, job, template }: FoundMail,
) => {
  const userId = row?.userId ?? job?.userId;
  const details = { mail: template, ...(userId !== undefined && { userId }) };
  return toAuditRecord(by, action, { targetType: 'MAIL', targetId }, details);
};

/** Whether the attempts of a mail of the outbox have ended, or it is not queued. */
const mustBeQueuedAgain = ({ row, job }: FoundMail): boolean =>
  row !== undefined && (row.failedAt !== null || job === undefined || job.state === 'failed');

export const createMailService = ({ stores: { mails }, inTransaction, openQueue }: Dependencies) => {
  /** The newest mails that are only in the queue, such as codes. */
  const listQueueOnly = async (queue: QueueAdapter, state: MailState | undefined): Promise<QueuedMail[]> => {
    const states = await queue.listStates(state);
    const known = await mails.selectKnown([...states.keys()]);
    const others = [...states].filter(([id]) => !known.has(id));
    // A job of the outbox without a row is that of a mail that has been sent or deleted.
    return (await queue.readAll(new Map(others))).filter(({ inOutbox }) => !inOutbox);
  };

  /** The jobs of the waiting mails of the outbox. */
  const readJobs = async (queue: QueueAdapter, rows: readonly OutboxMail[]) => {
    const jobs = await Promise.all(
      rows.filter(({ failedAt }) => failedAt === null).map(({ id }) => queue.find(id)),
    );
    return new Map(jobs.flatMap((job) => (job ? [[job.id, job]] : [])));
  };

  const ifAvailable = async <Item>(readFrom: (queue: QueueAdapter) => Promise<Item[]>): Promise<Item[]> => {
    try {
      return await readFrom(await openQueue());
    } catch (error) {
      if (error instanceof AppError && error.status === 503) return [];
      throw error;
    }
  };

  const withUsers = async (listed: readonly ListedMail[]): Promise<ShownMail[]> => {
    const users = await mails.findUsers(listed.flatMap(({ userId }) => userId ?? []));
    return listed.map(({ userId = '', ...mail }) => ({ ...mail, user: users.get(userId) ?? null }));
  };

  const find = async (store: MailStore, queue: QueueAdapter, id: string): Promise<FoundMail> => {
    const row = await store.lock(id);
    const job = await queue.find(id);
    if (job?.state === 'active' && (row || !job.inOutbox)) throw mailBeingSent();
    if (row) return { row, template: row.template, ...(job && { job }) };
    if (!job || job.inOutbox) throw mailNotFound();
    return { job, template: job.template };
  };

  /** The worker queues a mail only if the queue has no job of it, not even a failed one. */
  const release = async (store: MailStore, queue: QueueAdapter, id: string): Promise<void> => {
    await store.release(id);
    if (!(await queue.remove(id))) throw mailBeingSent();
  };
  const sendNow = async (queue: QueueAdapter, { job }: FoundMail): Promise<void> => {
    if (job) await queue.sendNow(job);
  };

  /** Whether the account of the code is as it was. A code without a holder is that of the address. */
  const isUnchanged = async (store: MailStore, queue: QueueAdapter, job: QueuedMail): Promise<boolean> => {
    if (!job.storedCode) return true;
    const { holder } = job.storedCode;
    if (holder) return await store.isUnchanged(holder);
    const mail = await queue.open(job);
    return mail !== undefined && (await store.hasAccount(mail.to));
  };

  /** Whether the code in the mail can still be used. */
  const isValid = async (
    { mails, invitations }: MailStores,
    queue: QueueAdapter,
    { row, job }: FoundMail,
  ): Promise<boolean> => {
    if (!row) {
      if (!job) return true;
      return (await queue.isValid(job)) && (await isUnchanged(mails, queue, job));
    }
    // Of the mails in the outbox, only an invitation has a code.
    if (!row.expiresAt) return true;
    return row.expiresAt.getTime() > Date.now() && !(await invitations.isOwned(row.address));
  };

  return {
    /** The newest MAX_LISTED mails of the outbox and the queue. @throws AppError 503 */
    listMails: async ({ state, page = 1, perPage = 10 }: MailQuery): Promise<MailPage> => {
      const queue = await openQueue();
      const [rows, jobs] = await Promise.all([
        mails.listNewest(state, MAX_LISTED + 1),
        listQueueOnly(queue, state),
      ]);
      const found = [...rows, ...jobs].sort(compareNewestFirst);
      const shown = found.slice(0, MAX_LISTED).slice((page - 1) * perPage, page * perPage);
      const isRow = (mail: OutboxMail | QueuedMail): mail is OutboxMail => 'failedAt' in mail;
      const jobsOfRows = await readJobs(queue, shown.filter(isRow));
      const listed = shown.map((mail) =>
        isRow(mail) ? toListedRow(mail, jobsOfRows.get(mail.id)) : toListedJob(mail),
      );
      return {
        data: await withUsers(listed),
        total: Math.min(found.length, MAX_LISTED),
        ...(found.length > MAX_LISTED && { totalCapped: true as const }),
        page,
        perPage,
      };
    },

    /** The times at which mails failed that are only in the queue; none while Redis is unavailable. */
    listFailedCodes: (): Promise<Date[]> => ifAvailable((queue) => queue.listFailedCodes()),

    /**
     * The codes that a user waits for; none while Redis is unavailable. Those of a reset do not name the user in the
     * queue, so the ones with the same masked address are decrypted.
     */
    listWaitingCodes: ({ id, email }: { id: string; email: string }): Promise<WaitingCode[]> =>
      ifAvailable(async (queue) => {
        const waiting = await listQueueOnly(queue, 'waiting');
        const masked = maskAddress(email);
        const possible = waiting.filter(({ userId, recipient }) =>
          userId === undefined ? recipient === masked : userId === id,
        );
        const opened = await Promise.all(possible.map(async (job) => ({ job, mail: await queue.open(job) })));
        return opened.flatMap(({ job, mail }) =>
          mail && 'userId' in mail && mail.userId === id
            ? [
                {
                  id: job.id,
                  mail: job.template,
                  recipient: mail.to,
                  at: job.createdAt,
                  failure: job.failure,
                },
              ]
            : [],
        );
      }),

    /** The last failures of mails that are retried, by id. */
    readFailures: async (ids: readonly string[]): Promise<Map<string, string>> => {
      const jobs = await ifAvailable((queue) => Promise.all(ids.map((id) => queue.find(id))));
      return new Map(jobs.flatMap((job) => (job?.failure ? [[job.id, job.failure]] : [])));
    },

    /** @throws AppError 404, 409 MAIL_BEING_SENT, MAIL_EXPIRED, 503 */
    retryMail: async (id: string, by: ByAdministrator): Promise<void> => {
      const queue = await openQueue();
      await inTransaction(by, async (stores) => {
        const found = await find(stores.mails, queue, id);
        if (!(await isValid(stores, queue, found))) throw mailExpired();
        // Redis takes no part in the transaction, so its change is the last.
        await stores.audit.add(toMailAudit(by, 'MAIL_RETRIED', id, found));
        await (mustBeQueuedAgain(found) ? release(stores.mails, queue, id) : sendNow(queue, found));
      });
    },

    /** @throws AppError 404, 409 MAIL_BEING_SENT, 503 */
    deleteMail: async (id: string, by: ByAdministrator): Promise<void> => {
      const queue = await openQueue();
      await inTransaction(by, async (stores) => {
        const found = await find(stores.mails, queue, id);
        await stores.audit.add(toMailAudit(by, 'MAIL_DELETED', id, found));
        if (found.row) await stores.mails.remove(id);
        if (!(await queue.remove(id))) throw mailBeingSent();
      });
    },
  };
};

export type MailService = ReturnType<typeof createMailService>;

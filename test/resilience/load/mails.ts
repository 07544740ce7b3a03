import { createHttpClient } from '@platform/shared/testing/http-client';
import { poll } from '@platform/shared/testing/poll';
import type { AdminActions } from './admin-actions.ts';
import type { ExpectedState } from './expected-state.ts';

type Mail = { id: string; to: string[]; text: string; messageId: string | null };

/** `key` identifies the mail: it is the marker of a contact form, or else the recipient. */
type ArrivedMail = { key: string; messageId: string; at: number };

export type MailCounts = {
  due: number;
  lost: number;
  /** Repeated arrivals of one mail. */
  duplicates: number;
  /** The longest time from the acknowledgement of the write to the arrival of its mail. */
  slowestSeconds: number;
};

/** A worker locks a mail for 20 s, and a mail that the queue has lost is queued again after 30 s. */
const DELIVERY_SECONDS = 75;
const MARKER = /form-[0-9a-f-]{36}/;
const BURST_FORMS = 80;

/** The mails in the inbox, oldest first. */
const readInbox = async (inboxUrl: string, limit = 100_000): Promise<ArrivedMail[]> => {
  const client = createHttpClient(inboxUrl);
  const { body } = await client.sendOrThrow({ path: `/api/email?limit=${limit}` });
  return (body as Mail[]).map(({ id, to, text, messageId }) => ({
    key: MARKER.exec(text)?.[0] ?? to[0] ?? '',
    messageId: messageId ?? '',
    // The id begins with the microsecond of the arrival.
    at: Number(id.split('-', 1)[0]) / 1_000,
  }));
};

/** Submits many forms at once. Resolves when the first mail has arrived and others are being sent. */
export const startMailBurst = async (adminActions: AdminActions, inboxUrl: string): Promise<void> => {
  const forms = Array.from({ length: BURST_FORMS }, () => adminActions.submitForm('lead'));
  const markers = new Set(await Promise.all(forms));
  const hasArrived = async () => (await readInbox(inboxUrl, 10)).some(({ key }) => markers.has(key));
  if (!(await poll(hasArrived, { timeoutSeconds: 5, everyMilliseconds: 5 })))
    throw new Error('No mail of the submitted forms has arrived');
};

type DueMail = { key: string; at: number };

const countMails = (due: readonly DueMail[], arrived: readonly ArrivedMail[]): MailCounts => {
  const byKey = Map.groupBy(arrived, ({ key }) => key);
  const found = due.map(({ key, at }) => ({ at, mails: byKey.get(key) ?? [] }));
  const delays = found.flatMap(({ at, mails: [first] }) => (first ? [first.at - at] : []));
  return {
    due: due.length,
    lost: found.filter(({ mails }) => mails.length === 0).length,
    duplicates: found
      .map(({ mails }) => mails.length - new Set(mails.map(({ messageId }) => messageId)).size)
      .reduce((sum, extra) => sum + extra, 0),
    slowestSeconds: Math.max(0, ...delays) / 1_000,
  };
};

/**
 * Waits until the mails of all writes that were acknowledged since a time have arrived, or until the timeout.
 */
export const waitForDueMails = async (
  inboxUrl: string,
  mails: ExpectedState['mails'],
  since: number,
): Promise<MailCounts> => {
  const due = [...mails].map(([key, { at }]) => ({ key, at })).filter(({ at }) => at >= since);
  const count = async () => countMails(due, await readInbox(inboxUrl));
  const complete = await poll(
    async () => {
      const counts = await count();
      return counts.lost === 0 && counts;
    },
    { timeoutSeconds: DELIVERY_SECONDS, everyMilliseconds: 1_000 },
  );
  return complete ?? (await count());
};

import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from '../load/expected-state.ts';
import { type ArrivedMail, readInbox } from './inbox.ts';

/** A worker's lock on a mail lasts 20 s, a mail that the queue lost is queued again after 30 s, both after a moment. */
const PATIENCE_MILLISECONDS = 75_000;
const POLL_MILLISECONDS = 1_000;

export type MailFigures = {
  due: number;
  lost: number;
  /** Arrivals of a mail that had arrived before. */
  duplicates: number;
  /** From the acknowledgement of the write to the arrival of its mail, the longest. */
  slowestSeconds: number;
};

type DueMail = { key: string; at: number };

const count = (due: readonly DueMail[], arrived: readonly ArrivedMail[]): MailFigures => {
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

/** Waits until every mail has arrived whose cause was acknowledged since a time, or patience ends. */
export const awaitDueMails = async (
  inboxUrl: string,
  ledger: Ledger,
  since: number,
): Promise<MailFigures> => {
  const due = [...ledger.mails].map(([key, { at }]) => ({ key, at })).filter(({ at }) => at >= since);
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const figures = count(due, await readInbox(inboxUrl));
    if (figures.lost === 0 || Date.now() > deadline) return figures;
    await delay(POLL_MILLISECONDS);
  }
};

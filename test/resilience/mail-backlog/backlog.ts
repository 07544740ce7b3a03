import type { FakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { queryDatabase } from '@platform/shared/testing/query-database';

const RECIPIENT = /^backlog-(\d+)@example\.com$/;

const INSERT = `
  insert into mail_outbox (mail, request_id, created_at)
  select jsonb_build_object('template', 'password-changed', 'to', 'backlog-' || n || '@example.com', 'changedAt', now()),
    'backlog', now() - interval '1 hour' + n * interval '1 ms'
  from generate_series(1, $1::int) n`;

/** Inserts notices to backlog-1@example.com, backlog-2@… in this order. */
export const insertBacklog = async (databaseUrl: string, count: number): Promise<void> => {
  await queryDatabase(databaseUrl, INSERT, [count]);
};

/** The numbers of the arrived notices, in the order of their arrival. */
const readArrived = (smtp: FakeSmtpServer): number[] =>
  smtp.mails().flatMap(({ to }) => {
    const [, number] = RECIPIENT.exec(to[0] ?? '') ?? [];
    return number === undefined ? [] : [Number(number)];
  });

type BacklogCounts = {
  arrived: number;
  /** Repeated arrivals of one notice. */
  duplicates: number;
  /** Rows of the outbox that are not in the queue. */
  waiting: number;
  /** Rows of the outbox that are claimed for the queue. */
  enqueued: number;
  /** Notices that neither arrived nor are in the outbox. */
  lost: number;
};

/** The largest difference between the position of a notice in the outbox and in the order of arrival. */
export const measureDisplacement = (smtp: FakeSmtpServer): number =>
  Math.max(...readArrived(smtp).map((number, index) => Math.abs(number - index - 1)));

/** Counts notices while no worker runs. */
export const countBacklog = async (
  databaseUrl: string,
  smtp: FakeSmtpServer,
  total: number,
): Promise<BacklogCounts> => {
  const [row] = await queryDatabase<{ waiting: number; enqueued: number }>(
    databaseUrl,
    `select count(*) filter (where enqueued_at is null)::int as waiting, count(enqueued_at)::int as enqueued
     from mail_outbox where request_id = 'backlog' and failed_at is null`,
  );
  const { waiting = 0, enqueued = 0 } = row ?? {};
  const numbers = readArrived(smtp);
  const unique = [...new Set(numbers)];
  return {
    arrived: unique.length,
    duplicates: numbers.length - unique.length,
    waiting,
    enqueued,
    lost: total - unique.length - waiting - enqueued,
  };
};

import type { FetchPage, List, Page, PageQuery } from '../lists/lists.ts';
import type { UserMail } from './user.ts';

/** A mail of the outbox is recorded when it has been sent. */
const KEYS = `(
    select id, user_id, recorded_at as at from sent_mails
    union all select id, user_id, coalesce(failed_at, created_at) from mail_outbox
  ) m`;
const MAILS = `(
    select id, user_id, mail, service, recipient, state, recorded_at as at, failure from sent_mails
    union all
    select id, user_id, mail ->> 'template', mail ->> 'service', mail ->> 'to',
      case when failed_at is null then 'waiting' else 'failed' end, coalesce(failed_at, created_at), failure
    from mail_outbox
  ) m`;

const MAILS_OF_USER: List = {
  name: 'mails-of-user',
  from: KEYS,
  id: 'm.id',
  createdAt: 'm.at',
  filters: { userId: 'm.user_id = ?' },
  columns: 'm.id, m.mail, m.service, coalesce(m.recipient, u.email) as recipient, m.state, m.at, m.failure',
  // The worker moves a mail from the outbox to the sent ones meanwhile.
  joins: `join ${MAILS} on m.id = page.id join users u on u.id = m.user_id`,
};

export const createUserMailList = (fetchPage: FetchPage) => ({
  /** Newest first. */
  list: (userId: string, query: PageQuery): Promise<Page<UserMail>> =>
    fetchPage(MAILS_OF_USER, { ...query, userId }),
});

export type UserMailList = ReturnType<typeof createUserMailList>;

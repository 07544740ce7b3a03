import type { PageQuery, Read } from '../lists/lists.ts';
import type { UserMail, WaitingCode } from './mail.ts';

/** The worker moves a mail from the outbox to the sent ones. A code that failed may have been queued again. */
const MAILS = `
  with codes as (
    select * from jsonb_to_recordset($2::jsonb) as code (id uuid, mail text, recipient text, at timestamptz, failure text)
  ), mails as (
    select id, mail, service, recipient, state, recorded_at as at, failure from sent_mails s
    where user_id = $1 and not (state = 'failed' and exists (select from codes where codes.id = s.id))
    union all
    select id, mail ->> 'template', mail ->> 'service', mail ->> 'to',
      case when failed_at is null then 'waiting' else 'failed' end, coalesce(failed_at, created_at), failure
    from mail_outbox where user_id = $1
    union all
    select id, mail, null, recipient, 'waiting', at, failure from codes
    where not exists (select from sent_mails s where s.id = codes.id and s.state = 'sent')
  )`;

const PAGE = `${MAILS}
  select m.id, m.mail, m.service, coalesce(m.recipient, u.email) as recipient, m.state, m.at, m.failure
  from mails m join users u on u.id = $1 order by m.at desc, m.id desc limit $3 offset $4`;
const TOTAL = `${MAILS} select count(*)::int as total from mails`;

export const createUserMailList = (read: Read) => ({
  /** Newest first. @param codes those that wait in the queue */
  list: async (userId: string, codes: readonly WaitingCode[], { page = 1, perPage = 10 }: PageQuery) => {
    const values = [userId, JSON.stringify(codes)];
    const limits = [perPage, (page - 1) * perPage];
    const [rows, [counted]] = await Promise.all([
      read<UserMail>({ name: 'mails-of-user', text: PAGE, values: [...values, ...limits] }),
      read<{ total: number }>({ name: 'total-of-mails-of-user', text: TOTAL, values }),
    ]);
    return { data: rows, total: counted?.total ?? 0, page, perPage };
  },
});

export type UserMailList = ReturnType<typeof createUserMailList>;

import { type Database, query } from '@platform/shared/db/database';
import { MAILS_PER_HOUR, type ServiceMail } from './service-mail.ts';

// A mail is in the outbox until it is sent, and then among the sent mails. One that an ADMIN has deleted is in neither.
const FIND = `
  select m.service_mail_id as id, m.created_at,
    case when o.failed_at is null and o.id is not null then 'waiting' when s.id is not null then 'sent' else 'failed' end as state
  from service_mails m left join mail_outbox o on o.id = m.id left join sent_mails s on s.id = m.id
  where m.service = $1 and m.service_mail_id = $2`;

const SECONDS_UNTIL_NEXT = `
  select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds from service_mails
  where user_id = $1 and service = $2 and created_at > now() - interval '1 hour'
  order by created_at desc offset $3 limit 1`;

type NewRow = { id: string; service: string; serviceMailId: string; userId: string; digest: Buffer };

/** The mails of other services, without their texts, which are in the outbox until they are sent. */
export const createServiceMailStore = (database: Database) => ({
  /**
   * Until the transaction ends, the account cannot be deleted, and no other mail to the user is counted.
   * Undefined for a deleted user.
   */
  lockRecipient: async (userId: string): Promise<{ isEmailVerified: boolean } | undefined> =>
    await database('users').where({ id: userId, deletedAt: null }).forNoKeyUpdate().first('isEmailVerified'),

  get: async (service: string, id: string): Promise<ServiceMail> => {
    const statement = { name: 'service-mail-find', text: FIND, values: [service, id] };
    const [mail] = await query<ServiceMail>(database, statement);
    if (!mail) throw new Error('The mail of the service was not found');
    return mail;
  },

  /** The seconds until the service may send the user another mail; 0 if it may now. */
  secondsUntilNext: async (service: string, userId: string): Promise<number> => {
    const values = [userId, service, MAILS_PER_HOUR - 1];
    const statement = { name: 'service-mails-limit', text: SECONDS_UNTIL_NEXT, values };
    const [oldest] = await query<{ seconds: number }>(database, statement);
    return oldest?.seconds ?? 0;
  },

  insert: async (row: NewRow): Promise<void> => {
    await database('service_mails').insert(row);
  },
});

export type ServiceMailStore = ReturnType<typeof createServiceMailStore>;

import { type Database, query } from '../../db/database.ts';
import { currentTraceparent } from '../../tracing/tracing.ts';
import type { CodeMail, InvitationMail, Mail, ServiceMessage } from './mail.ts';

/** Adds the user's time zone and roles to the mail, unless it names them itself. */
const ADD = `
  insert into mail_outbox (mail, request_id, traceparent, user_id)
  select coalesce((
    select jsonb_build_object('timeZone', u.time_zone,
      'roles', array(select r.role from user_roles r where r.user_id = u.id order by r.role))
    from users u where u.id = $4), '{}') || $1::jsonb, $2, $3, $4`;

/**
 * The transactional outbox of mails that must not be lost. The worker relays each row to the queue and
 * deletes it after sending.
 */
export const createMailOutbox = (database: Database) => ({
  /**
   * `userId` is the user whom the mail concerns; deleting that user deletes the mail. It is null for a mail
   * that must be sent whatever happens to accounts.
   */
  add: async (
    mail: Exclude<Mail, CodeMail | InvitationMail | ServiceMessage>,
    requestId: string,
    userId: string | null,
  ): Promise<void> => {
    const values = [mail, requestId, currentTraceparent(), userId];
    await query(database, { name: 'outbox-add', text: ADD, values });
  },

  /** Returns the id of the mail. */
  addServiceMessage: async (mail: ServiceMessage, requestId: string, userId: string): Promise<string> => {
    const text =
      'insert into mail_outbox (mail, request_id, traceparent, user_id) values ($1, $2, $3, $4) returning id';
    const values = [mail, requestId, currentTraceparent(), userId];
    const [row] = await query<{ id: string }>(database, { name: 'outbox-add-message', text, values });
    if (!row) throw new Error('The row was not returned');
    return row.id;
  },

  /** Deleting the invitation deletes the mail. */
  addInvitation: async (mail: InvitationMail, requestId: string, invitationId: string): Promise<void> => {
    const text =
      'insert into mail_outbox (mail, request_id, traceparent, invitation_id) values ($1, $2, $3, $4)';
    const values = [mail, requestId, currentTraceparent(), invitationId];
    await query(database, { name: 'outbox-add-invitation', text, values });
  },
});

export type MailOutbox = ReturnType<typeof createMailOutbox>;

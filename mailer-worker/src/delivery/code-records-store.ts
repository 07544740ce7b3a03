import { type Database, query } from '@platform/shared/db/database';
import { isCodeMail, type Mail } from '@platform/shared/platform/mail/mail';

/**
 * Records whether the mail with a code was sent; codes are not in the outbox. Best effort: a code must reach
 * its user although Postgres is unavailable, and must not be sent twice because of the record.
 */
export const createCodeRecorder =
  (database: Database, onError: (error: unknown) => void) =>
  /** @param failure undefined if the mail was sent */
  async (id: string, mail: Mail, failure?: string): Promise<void> => {
    if (!isCodeMail(mail) || mail.userId === null) return;
    const text = 'select record_code_mail($1, $2, $3, $4, $5)';
    const values = [id, mail.userId, mail.template, mail.to, failure ?? null];
    await query(database, { name: 'record-code-mail', text, values }).catch(onError);
  };

export type RecordCode = ReturnType<typeof createCodeRecorder>;

import type { Request } from 'express';
import type { Background } from '../async/tasks.ts';
import { type Database, query } from '../db/database.ts';
import { findLanguage } from '../http/operation-router.ts';
import type { CallerAccount } from './caller.ts';

type KnownLanguage = Pick<CallerAccount, 'userId' | 'language'>;

/**
 * Stores the language of a signed-in request if it is another one than before. Mails are in the stored language: that of the
 * request that causes a mail may be an attacker's.
 */
export const createLanguageUpdate =
  (database: Database, background: Background) =>
  (req: Request, { userId, language: stored }: KnownLanguage): void => {
    const language = findLanguage(req);
    if (language === undefined || language === stored) return;
    background.run(() =>
      query(database, {
        name: 'set-language',
        text: 'update users set language = $2 where id = $1 and deleted_at is null',
        values: [userId, language],
      }),
    );
  };

export type UpdateLanguage = ReturnType<typeof createLanguageUpdate>;

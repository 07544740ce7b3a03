import { randomUUID } from 'node:crypto';
import type { Background } from '@platform/shared/async/background';
import type { Mail } from '@platform/shared/mail/mail';
import type { Stores } from '../stores.ts';
import type { GuessedAccount, NotifyOwner } from './guess-limits.ts';

const toMail = ({ email: to, language }: GuessedAccount, notice: Parameters<NotifyOwner>[1]): Mail => {
  const now = Date.now();
  if (notice.kind === 'wrong-factors')
    return { template: 'wrong-factors', to, language, attemptedAt: new Date(now).toISOString() };
  const pausedUntil = new Date(now + notice.seconds * 1_000).toISOString();
  return { template: 'guessing-paused', to, language, secret: notice.secret, pausedUntil };
};

/** Mails the owner of an account about failed attempts. */
export const createGuessNotice =
  ({ outbox }: Stores, background: Background): NotifyOwner =>
  (account, notice) =>
    background.run(() => outbox.add(toMail(account, notice), randomUUID()));

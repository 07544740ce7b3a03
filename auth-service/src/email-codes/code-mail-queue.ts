import { randomUUID } from 'node:crypto';
import type { CodeCipher } from '@platform/shared/mail/code-encryption';
import type { Mail } from '@platform/shared/mail/mail';
import type { MailQueue } from '@platform/shared/mail/mail-queue';
import type { CodeMail } from './email-code.ts';

const expiryOf = ({ lifetimeSeconds }: CodeMail) =>
  new Date(Date.now() + lifetimeSeconds * 1_000).toISOString();

/** Straight to the queue: a code that could not be queued is the request's failure, not something to send later. */
export const createCodeMailQueue =
  (queue: MailQueue, { encrypt: seal }: CodeCipher) =>
  async (codeMail: CodeMail | undefined, requestId: string): Promise<void> => {
    const mail: Mail = codeMail
      ? {
          template: codeMail.template,
          to: codeMail.to,
          sealedCode: seal(codeMail.code),
          expiresAt: expiryOf(codeMail),
        }
      : { template: 'decoy' };
    await queue.add(randomUUID(), { mail, requestId, inOutbox: false });
  };

import { tooManyRequests } from '@platform/shared/errors/app-error';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';
import { requireNoteAllowed } from '../notes/note.ts';
import {
  type ContactRequest,
  type ContactRequestEntry,
  contactRequestNotFound,
  MAX_REPLIES_PER_HOUR,
  toContactTarget,
} from './contact-request.ts';
import type { ContactDependencies, ContactStores } from './contact-service.ts';

/** Adds the notes and replies of a form. Audit records do not contain their texts, because they outlive the form. */
export const createContactEntryService = (dependencies: ContactDependencies) => {
  const { config, stores, asAdministrator, metrics } = dependencies;
  const countReply = metrics.counter('contact_replies_total', 'Replies to contact forms', {});

  /** @throws AppError 429 */
  const requireReplyAllowed = async ({ contactEntries }: ContactStores, administratorId: string) => {
    const seconds = await contactEntries.secondsUntilReply(administratorId, MAX_REPLIES_PER_HOUR);
    if (seconds > 0) throw tooManyRequests('RATE_LIMITED', 'Too many replies; retry later.', seconds);
  };

  const toMail = (form: ContactRequest, text: string, { language }: LockedAccount) =>
    ({
      template: 'contact-reply',
      to: form.email,
      language,
      replyTo: config.contactInbox,
      text,
      subject: form.subject,
      message: form.message,
      wroteAt: form.createdAt.toISOString(),
    }) as const;

  return {
    /** @throws AppError 404, 429 */
    addNote: (id: string, text: string, by: ByAdministrator): Promise<ContactRequestEntry> =>
      asAdministrator(by, async (own, { administrator }) => {
        const form = await own.contact.lock(id);
        if (!form) throw contactRequestNotFound();
        requireNoteAllowed(await own.contactEntries.secondsUntilNote(id));
        const note = await own.contactEntries.add({ kind: 'note', form, authorId: administrator.id, text });
        const details = { noteId: note.id };
        await own.audit.add(toAuditRecord(by, 'CONTACT_REQUEST_NOTE_ADDED', toContactTarget(id), details));
        return note;
      }),

    /**
     * One transaction stores the reply and adds its mail to the outbox. The lock on the account of the sender
     * keeps the mail from being added during a deletion of the account.
     * @throws AppError 404, 429
     */
    reply: async (id: string, text: string, by: ByAdministrator): Promise<ContactRequestEntry> => {
      const account = (await stores.contact.find(id))?.account;
      const reply = await asAdministrator(
        by,
        async (own, { administrator, user }) => {
          await requireReplyAllowed(own, administrator.id);
          const form = await own.contact.lock(id);
          if (!form) throw contactRequestNotFound();
          const added = await own.contactEntries.add({
            kind: 'reply',
            form,
            authorId: administrator.id,
            text,
          });
          await own.contact.setReplied(id);
          const sender = user?.id === form.account?.id ? user : undefined;
          const mail = toMail(form, text, sender ?? administrator);
          await own.outbox.add(mail, by.context.requestId, sender?.id ?? null);
          const details = { replyId: added.id };
          await own.audit.add(toAuditRecord(by, 'CONTACT_REQUEST_REPLIED', toContactTarget(id), details));
          return added;
        },
        account?.id,
      );
      countReply({});
      return reply;
    },
  };
};

export type ContactEntryService = ReturnType<typeof createContactEntryService>;

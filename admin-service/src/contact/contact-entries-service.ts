import { tooManyRequests } from '@platform/shared/errors/app-error';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';
import type { AuditAction } from '@platform/shared/platform/audit/audit-log';
import { requireNoteAllowed } from '../notes/note.ts';
import { findDetail, lockDetail, requireUnchanged } from './contact-detail-service.ts';
import {
  type ContactRequest,
  type ContactRequestDetail,
  type ContactRequestEntry,
  type EntryKind,
  entryIdTaken,
  MAX_REPLIES_PER_HOUR,
  type NewContactEntry,
  toContactTarget,
  toVersion,
} from './contact-request.ts';
import { type ContactDependencies, type ContactStores, setDone } from './contact-service.ts';

/** An entry and the version of its form, for the entity tag. `isNew`: false for a repeated request. */
export type AddedEntry = { created: ContactRequestEntry; version: string; isNew: boolean };
type Addition = {
  formId: string;
  entry: NewContactEntry;
  ifMatch: string | undefined;
  by: ByAdministrator;
};
/** @param entryId that of the entry */
type ToRecord = (entryId: string) => { action: AuditAction; details: Record<string, string> };

/** The entry that the same request has added before. @throws AppError 409 if it is another one */
const findRepeated = (
  form: ContactRequestDetail,
  kind: EntryKind,
  { id, text }: NewContactEntry,
): ContactRequestEntry | undefined => {
  const [same, other] = kind === 'note' ? [form.notes, form.replies] : [form.replies, form.notes];
  const found = same.find((entry) => entry.id === id);
  if (other.some((entry) => entry.id === id) || (found && found.text !== text)) throw entryIdTaken();
  return found;
};

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

  /** Adds the entry, unless the same one is there. `add` does what belongs to a new one. */
  const addOnce = async (
    own: ContactStores,
    kind: EntryKind,
    { formId, entry, ifMatch, by }: Addition,
    add: (form: ContactRequestDetail) => Promise<ToRecord>,
  ): Promise<AddedEntry> => {
    const form = await lockDetail(own, formId);
    const found = findRepeated(form, kind, entry);
    if (found) return { created: found, version: toVersion(form), isNew: false };
    requireUnchanged(form, ifMatch);
    const toRecord = await add(form);
    const authorId = by.administrator.userId;
    const created = await own.contactEntries.add({ ...entry, kind, form, authorId });
    if (!created) throw entryIdTaken();
    const { action, details } = toRecord(created.id);
    await own.audit.add(toAuditRecord(by, action, toContactTarget(formId), details));
    return { created, version: toVersion(await findDetail(own, formId)), isNew: true };
  };

  return {
    /** @param ifMatch the header If-Match. @throws AppError 404, 409 ID_TAKEN, 412, 429 */
    addNote: (
      formId: string,
      entry: NewContactEntry,
      ifMatch: string | undefined,
      by: ByAdministrator,
    ): Promise<AddedEntry> =>
      asAdministrator(by, (own) =>
        addOnce(own, 'note', { formId, entry, ifMatch, by }, async () => {
          requireNoteAllowed(await own.contactEntries.secondsUntilNote(formId));
          return (noteId) => ({ action: 'CONTACT_REQUEST_NOTE_ADDED', details: { noteId } });
        }),
      ),

    /**
     * One transaction stores the reply and adds its mail to the outbox. The lock on the account of the sender
     * keeps the mail from being added during a deletion of the account.
     * @param ifMatch the header If-Match
     * @throws AppError 404, 409 ID_TAKEN, 412, 429
     */
    reply: async (
      formId: string,
      { isDone, ...entry }: NewContactEntry & { isDone?: boolean | undefined },
      ifMatch: string | undefined,
      by: ByAdministrator,
    ): Promise<AddedEntry> => {
      const account = (await stores.contact.find(formId))?.account;
      const reply = await asAdministrator(
        by,
        (own, { administrator, user }) =>
          addOnce(own, 'reply', { formId, entry, ifMatch, by }, async (form) => {
            await requireReplyAllowed(own, administrator.id);
            await own.contact.setReplied(formId);
            if (isDone) await setDone(own, formId, true, by);
            const sender = user?.id === form.account?.id ? user : undefined;
            const mail = toMail(form, entry.text, sender ?? administrator);
            await own.outbox.add(mail, by.context.requestId, sender?.id ?? null);
            return (replyId) => ({ action: 'CONTACT_REQUEST_REPLIED', details: { replyId } });
          }),
        account?.id,
      );
      if (reply.isNew) countReply({});
      return reply;
    },
  };
};

export type ContactEntryService = ReturnType<typeof createContactEntryService>;

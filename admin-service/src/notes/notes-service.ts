import type { RequestContext } from '@platform/shared/http/request-context';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AdminCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { UserStore } from '../users/users-store.ts';
import type { Note } from './note.ts';
import type { NoteStore } from './notes-store.ts';

export type NoteStores = {
  accountChanges: AccountChangeStore;
  users: UserStore;
  notes: NoteStore;
  audit: AuditLog;
};

type Dependencies = {
  stores: Pick<NoteStores, 'users' | 'notes'>;
  inTransaction: InTransaction<NoteStores>;
};

export const createNoteService = ({ stores, inTransaction }: Dependencies) => ({
  /** Newest first. @throws AppError 404 */
  listNotes: async (userId: string): Promise<Note[]> => {
    await stores.users.requireKept(userId);
    return await stores.notes.listByUser(userId);
  },

  /** The audit record does not contain the text, because it outlives the account. @throws AppError 404 */
  addNote: (
    userId: string,
    text: string,
    { account: { userId: authorId, email } }: AdminCaller,
    context: RequestContext,
  ): Promise<Note> =>
    inTransaction(async ({ accountChanges, notes, audit }) => {
      // Otherwise a note could be inserted after a concurrent deletion of the account.
      if (!(await accountChanges.lock(userId))) throw userNotFound();
      const added = await notes.add(userId, authorId, text);
      await audit.add({
        ...context,
        action: 'USER_NOTE_ADDED',
        actorId: authorId,
        targetType: 'USER',
        targetId: userId,
        details: { noteId: added.id },
      });
      return { ...added, text, author: { id: authorId, email } };
    }),
});

export type NoteService = ReturnType<typeof createNoteService>;

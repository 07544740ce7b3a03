import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import { createChangeUser } from '@platform/shared/platform/accounts/administrator-transaction';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AsAdministrator } from '../infrastructure.ts';
import type { UserStore } from '../users/users-store.ts';
import { type Note, requireNoteAllowed } from './note.ts';
import type { NoteStore } from './notes-store.ts';

type NoteStores = {
  users: UserStore;
  notes: NoteStore;
  audit: AuditLog;
};

type Dependencies = {
  stores: Pick<NoteStores, 'users' | 'notes'>;
  asAdministrator: AsAdministrator<NoteStores>;
};

export const createNoteService = ({ stores, asAdministrator }: Dependencies) => ({
  /** Newest first. @throws AppError 404 */
  listNotes: async (userId: string): Promise<Note[]> => {
    await stores.users.requireKept(userId);
    return await stores.notes.listByUser(userId);
  },

  /** The audit record does not contain the text, because it outlives the account. @throws AppError 404, 429 */
  addNote: (userId: string, text: string, by: ByAdministrator): Promise<Note> =>
    // The lock on the user keeps a note from being inserted after a concurrent deletion of the account.
    createChangeUser(asAdministrator)(userId, by, async ({ notes, audit }, _user, administrator) => {
      requireNoteAllowed(await notes.secondsUntilNote(userId));
      const { id: authorId, email } = administrator;
      const { authorName: name, ...added } = await notes.add(userId, authorId, text);
      const target = { targetType: 'USER', targetId: userId } as const;
      await audit.add(toAuditRecord(by, 'USER_NOTE_ADDED', target, { noteId: added.id }));
      return { ...added, text, author: { id: authorId, email, name } };
    }),
});

export type NoteService = ReturnType<typeof createNoteService>;

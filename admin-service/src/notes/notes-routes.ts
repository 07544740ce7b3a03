import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { NoteService } from './notes-service.ts';

export const noteRoutes = (notes: NoteService): Pick<AdminOperations, 'listUserNotes' | 'addUserNote'> => ({
  listUserNotes: async ({ path }) => ({ status: 200, body: { data: await notes.listNotes(path.id) } }),

  addUserNote: async ({ path, body, caller, context }) => ({
    status: 201,
    body: await notes.addNote(path.id, body.text, toBy(caller, context)),
  }),
});

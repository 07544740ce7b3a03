import type { Base } from '../infrastructure.ts';
import { noteRoutes } from './notes-routes.ts';
import { createNoteService, type NoteStores } from './notes-service.ts';

export const createNotesFeature = (base: Base<NoteStores>) => ({
  routes: noteRoutes(createNoteService(base)),
});

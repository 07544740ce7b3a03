import type { Database } from '@platform/shared/db/database';
import { toNameOf } from '../lists/user-name-scripts.ts';
import type { Note } from './note.ts';

type NoteRow = Omit<Note, 'author'> & {
  authorId: string;
  authorEmail: string | null;
  authorName: string | null;
};

type AddedNote = Pick<Note, 'id' | 'createdAt'> & Pick<NoteRow, 'authorName'>;

export const createNoteStore = (database: Database) => ({
  /** Newest first. */
  listByUser: async (userId: string): Promise<Note[]> => {
    const rows: NoteRow[] = await database('user_notes as n')
      .join('users as a', 'a.id', 'n.authorId')
      .where('n.userId', userId)
      .orderBy([
        { column: 'n.createdAt', order: 'desc' },
        { column: 'n.id', order: 'desc' },
      ])
      .select(
        ...['n.id', 'n.text', 'n.createdAt', 'n.authorId', 'a.email as authorEmail'],
        database.raw(`${toNameOf('n.author_id')} as author_name`),
      );
    return rows.map(({ authorId, authorEmail, authorName, ...note }) => ({
      ...note,
      author: { id: authorId, email: authorEmail, name: authorName },
    }));
  },

  add: async (userId: string, authorId: string, text: string): Promise<AddedNote> => {
    const name = database.raw(`${toNameOf('author_id')} as author_name`);
    const [added] = await database('user_notes')
      .insert({ userId, authorId, text })
      .returning(['id', 'createdAt', name]);
    return added;
  },
});

export type NoteStore = ReturnType<typeof createNoteStore>;

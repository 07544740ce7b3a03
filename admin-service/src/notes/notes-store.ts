import type { Database } from '@platform/shared/db/database';
import type { Note } from './note.ts';

type NoteRow = Omit<Note, 'author'> & { authorId: string; authorEmail: string | null };

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
      .select('n.id', 'n.text', 'n.createdAt', 'n.authorId', 'a.email as authorEmail');
    return rows.map(({ authorId, authorEmail, ...note }) => ({
      ...note,
      author: { id: authorId, email: authorEmail },
    }));
  },

  add: async (userId: string, authorId: string, text: string): Promise<Pick<Note, 'id' | 'createdAt'>> => {
    const [added] = await database('user_notes').insert({ userId, authorId, text }, ['id', 'createdAt']);
    return added;
  },
});

export type NoteStore = ReturnType<typeof createNoteStore>;

import { type Database, query } from '@platform/shared/db/database';
import { toNameOf } from '../lists/user-name-scripts.ts';
import { MAX_NOTES_PER_HOUR, type Note } from './note.ts';

type NoteRow = Omit<Note, 'author'> & {
  authorId: string;
  authorEmail: string | null;
  authorName: string | null;
};

type AddedNote = Pick<Note, 'id' | 'createdAt'> & Pick<NoteRow, 'authorName'>;

const SECONDS_UNTIL_NOTE = `
  select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds from user_notes
  where user_id = $1 and created_at > now() - interval '1 hour' order by created_at desc, id desc offset $2 limit 1`;

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

  /** The seconds until a note may be added; 0 if one may be added now. The caller locks the user. */
  secondsUntilNote: async (userId: string): Promise<number> => {
    const values = [userId, MAX_NOTES_PER_HOUR - 1];
    const statement = { name: 'seconds-until-note', text: SECONDS_UNTIL_NOTE, values };
    return (await query<{ seconds: number }>(database, statement))[0]?.seconds ?? 0;
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

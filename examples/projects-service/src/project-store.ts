import { DatabaseSync } from 'node:sqlite';
import type { Project } from '@platform/client/service';

const SCHEMA = `
  pragma journal_mode = wal;
  create table if not exists projects (id text primary key, owner_id text, status text, deleted_at text, body text);
  create index if not exists projects_by_owner on projects (owner_id, id);
  create index if not exists projects_by_status on projects (status, id);
  create table if not exists feed (id integer primary key check (id = 1), position text);
  insert or ignore into feed values (1, null);
  create temp table listed as select * from projects where false;
`;

export type Selection = { ownerId: string } | { status: Project['status'] };
export type Page = { data: Project[]; nextCursor: string | null };

/** A copy of the platform's projects, and the position in the events up to which it is complete. */
export const createProjectStore = (file: string) => {
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  const selectPosition = database.prepare('select position from feed');
  const updatePosition = database.prepare('update feed set position = ?');
  const insertInto = (table: 'projects' | 'listed') =>
    database.prepare(`insert or replace into ${table} values (?, ?, ?, ?, ?)`);
  const [insert, insertListed] = [insertInto('projects'), insertInto('listed')];
  const select = (condition: string) =>
    database.prepare(
      `select body from projects where ${condition} and deleted_at is null and id > ? order by id limit ?`,
    );
  const [selectByOwner, selectByStatus] = [select('owner_id = ?'), select('status = ?')];

  const inTransaction = (work: () => void): void => {
    database.exec('begin immediate');
    try {
      work();
      database.exec('commit');
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  };
  const save = (statement: typeof insert, projects: Project[]): void => {
    for (const project of projects) {
      const { id, ownerId, status, deletedAt } = project;
      statement.run(id, ownerId, status, deletedAt, JSON.stringify(project));
    }
  };

  return {
    /** Null before everything has been read, and an empty text for the oldest event. */
    getPosition: (): string | null => selectPosition.get()?.['position'] as string | null,
    forgetPosition: (): void => void updatePosition.run(null),

    /**
     * Saves the changes of a page of events. If the process dies before the commit, it reads the page again.
     */
    saveChanged: (projects: Project[], position: string): void =>
      inTransaction(() => {
        save(insert, projects);
        updatePosition.run(position);
      }),

    /** The listed projects take the place of the copy when all of them are there. */
    beginListing: (): void => database.exec('delete from listed'),
    addListed: (projects: Project[]): void => save(insertListed, projects),
    finishListing: (): void =>
      inTransaction(() => {
        database.exec('delete from projects; insert into projects select * from listed');
        updatePosition.run('');
      }),

    /** A page of projects that are not deleted, in the order of their ids. */
    list: (selection: Selection, after: string, limit: number): Page => {
      const rows =
        'ownerId' in selection
          ? selectByOwner.all(selection.ownerId, after, limit + 1)
          : selectByStatus.all(selection.status, after, limit + 1);
      const data = rows.slice(0, limit).map(({ body }) => JSON.parse(String(body)) as Project);
      return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
    },
    close: (): void => database.close(),
  };
};

export type ProjectStore = ReturnType<typeof createProjectStore>;

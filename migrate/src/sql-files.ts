import { readdir, readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

const FOLDER = new URL('../', import.meta.url);

/** @param path in the folder `migrate` */
const readSqlFile = (path: string): Promise<string> => readFile(new URL(path, FOLDER), 'utf8');

/** The paths of the SQL files in a folder of `migrate`, sorted by name. */
export const listSqlFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(new URL(folder, FOLDER));
  return names.sort().map((name) => `${folder}/${name}`);
};

export const runSqlFile = async (db: Knex, path: string): Promise<void> => {
  const sql = await readSqlFile(path);
  try {
    // Knex treats a question mark as a parameter.
    await db.raw(sql.replaceAll('?', '\\?'));
  } catch (error) {
    // Knex puts the whole SQL in front of the message.
    if (error instanceof Error) error.message = `${path}: ${error.message.replace(`${sql} - `, '')}`;
    throw error;
  }
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..');

/** The defaults are those of a platform that `npm start` runs on this machine. */
const {
  AUTH_URL = 'http://127.0.0.1:3001',
  ADMIN_URL = 'http://127.0.0.1:3002',
  SECRET_FILE = join(FOLDER, 'local-secret'),
  DATABASE = join(FOLDER, 'projects.db'),
  PORT = '4000',
} = process.env;

export const config = {
  authUrl: AUTH_URL,
  adminUrl: ADMIN_URL,
  secret: readFileSync(SECRET_FILE, 'utf8').trim(),
  databaseFile: DATABASE,
  port: Number(PORT),
};

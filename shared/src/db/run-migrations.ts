import { readEnvironment, url } from '../config/env.ts';
import { migrateDatabase } from './migrate.ts';

// `npm run migrate`: a job of its own in production, run before the services of a release start.
const { DATABASE_URL } = readEnvironment(process.env, { DATABASE_URL: url() });
const names = await migrateDatabase(DATABASE_URL);
console.log(names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`);

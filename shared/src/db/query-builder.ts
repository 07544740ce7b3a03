import knexPackage from 'knex';

// A separate module, so that a process without built queries does not load Knex. A named import of this CommonJS
// package compiles but fails at run time.
const { knex } = knexPackage;

/** Builds queries and never connects: `database.execute(queryBuilder('users').where(…))` runs them. */
export const queryBuilder = knex({ client: 'pg' });

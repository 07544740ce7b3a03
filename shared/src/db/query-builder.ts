import knexPackage from 'knex';

// Named import of a CommonJS package: `import { knex }` compiles but throws at run time.
const { knex } = knexPackage;

/** Builds statements and never connects: `database.build(queryBuilder('users').where(...))` runs them. */
export const queryBuilder = knex({ client: 'pg' });

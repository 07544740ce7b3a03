import type { Knex } from 'knex';

// In units of cpu_operator_cost: the function takes some 0.1 ms for a text. With the default of 100, Postgres took a search
// by grams for too cheap to be worth several processes.
export const up = (knex: Knex): Promise<unknown> => knex.raw('alter function short_grams(text) cost 5000');

export const down = (knex: Knex): Promise<unknown> => knex.raw('alter function short_grams(text) cost 100');

declare module 'knex/lib/dialects/postgres/index.js' {
  import type pg from 'pg';

  /**
   * The documented base class of custom dialects, which Knex does not type. For a transaction, Knex copies
   * only the prototype.
   */
  // biome-ignore lint/style/noDefaultExport: Knex exports the class like this
  export default class PostgresDialect {
    readonly pool: { numUsed: () => number; numPendingAcquires: () => number };
    readonly transacting?: boolean;
    acquireRawConnection(): Promise<pg.Client>;
    destroyRawConnection(connection: pg.Client): Promise<void>;
    acquireConnection(): Promise<pg.Client>;
    query(connection: pg.Client, query: KnexQuery | string): Promise<unknown>;
  }

  export type KnexQuery = { sql: string; options?: { name?: string } };
}

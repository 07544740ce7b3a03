import { randomUUID } from 'node:crypto';
import { type Database, query, type Statement } from '@platform/shared/db/database';
import { queryDatabase } from '@platform/shared/testing/query-database';
import pg from 'pg';

/** A statement that a store has sent; prepared if it has a name. */
type RecordedStatement = { name?: string; text: string; values: readonly unknown[] };

/** A database that passes statements on, and remembers them. */
export const createRecorder = (inner: Database) => {
  let statements: RecordedStatement[] = [];
  const database: Database = {
    query: (statement: Statement) => {
      statements.push(statement);
      return inner.query(statement);
    },
    execute: (query) => {
      const { sql: text, bindings } = query.toSQL().toNative();
      statements.push({ text, values: bindings });
      return inner.execute(query);
    },
  };
  return {
    database,
    clear: () => {
      statements = [];
    },
    /** The statements since the last `clear`. */
    take: (): readonly RecordedStatement[] => statements,
  };
};

const toElement = (value: unknown): string => `"${String(value).replace(/["\\]/g, '\\$&')}"`;

/** `execute` takes no parameters, so the values become literals, which Postgres converts to the types of the parameters. */
export const toLiteral = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(toElement).join(',')}}`);
  return pg.escapeLiteral(String(value));
};

const EXPLAIN = 'explain (analyze, buffers, timing off, summary on)';

type PlanLine = { 'QUERY PLAN': string };

/**
 * Explains a prepared statement on the connection that has prepared and repeatedly executed it: with the generic or the
 * custom plan that Postgres has chosen there.
 */
const explainPrepared = async (pool: Database, { name, values }: RecordedStatement): Promise<string[]> => {
  const call = values.length > 0 ? `(${values.map(toLiteral).join(', ')})` : '';
  const text = `${EXPLAIN} execute "${name}"${call}`;
  const lines = await query<PlanLine>(pool.database, { name: randomUUID(), text, values: [] });
  return [`prepared as ${name}:`, ...lines.map((line) => line['QUERY PLAN'])];
};

const explain = async (url: string, { text, values }: RecordedStatement): Promise<string[]> => {
  const lines = await queryDatabase<PlanLine>(url, `${EXPLAIN} ${text}`, values);
  return lines.map((line) => line['QUERY PLAN']);
};

/** EXPLAIN ANALYZE of each statement. */
export const explainStatements = async (
  { pool, url }: { pool: Database; url: string },
  statements: readonly RecordedStatement[],
): Promise<string[]> => {
  const plans: string[] = [];
  for (const statement of statements)
    plans.push(
      ...(statement.name === undefined
        ? await explain(url, statement)
        : await explainPrepared(pool, statement)),
    );
  return plans;
};

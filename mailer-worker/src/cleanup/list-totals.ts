import type { DatabasePool } from '@platform/shared/db/database';

/** The totals that triggers keep for the lists of the back office (20261125-list-totals.ts). */
export const TOTALS_TABLES = ['user_totals', 'project_totals', 'team_totals', 'audit_totals'] as const;

export type TotalsTable = (typeof TOTALS_TABLES)[number];

type Total = { key: Record<string, unknown>; kept: number; counted: number };

export type Recount = {
  table: TotalsTable;
  /** The number of rows that were counted. */
  rows: number;
  /** The totals that were wrong. */
  differences: Total[];
};

/** Counting some ten million rows takes longer than a statement of a request may. */
const TIMEOUT_MILLISECONDS = 600_000;

const SET_TIMEOUT = "select set_config('statement_timeout', $1, true)";
const REPAIR_TOTALS = 'select key, kept::float8 as kept, counted::float8 as counted from repair_totals($1)';

/**
 * Counts the rows and corrects the totals that differ, without blocking writers. Totals are wrong only after a bug, or when
 * an operator has disabled their triggers or restored some of the tables.
 */
export const repairTotals = async (
  database: Pick<DatabasePool, 'transaction'>,
  table: TotalsTable,
): Promise<Recount> => {
  const totals = await database.transaction(async (transaction) => {
    const values = [String(TIMEOUT_MILLISECONDS)];
    await transaction.query({ name: 'set-timeout-of-recount', text: SET_TIMEOUT, values });
    return transaction.query<Total>({
      name: 'repair-totals',
      text: REPAIR_TOTALS,
      values: [table],
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    });
  });
  return {
    table,
    rows: totals.reduce((sum, { counted }) => sum + counted, 0),
    differences: totals.filter(({ kept, counted }) => kept !== counted),
  };
};

const DAY_MILLISECONDS = 86_400_000;

/** One table a night, in turn: the date decides, so that neither a restart nor a repetition changes the order. */
export const getTotalsTableOf = (time: Date): TotalsTable => {
  const day = Math.floor(time.getTime() / DAY_MILLISECONDS);
  return TOTALS_TABLES[day % TOTALS_TABLES.length] ?? TOTALS_TABLES[0];
};

import { storeAuditDayTotals } from '@platform/shared/db/audit-day-totals';
import { type DatabasePool, type Statement, query } from '@platform/shared/db/database';

/**
 * The totals of the lists of the back office: those that triggers keep (20261125-list-totals.ts), and those of past days of the
 * audit log (20261208-audit-day-totals.ts).
 */
export const TOTALS_TABLES = [
  'user_totals',
  'project_totals',
  'team_totals',
  'audit_totals',
  'audit_day_totals',
] as const;

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

type Transactions = Pick<DatabasePool, 'transaction'>;

const queryForLong = <Row>(
  database: Transactions,
  statement: Omit<Statement, 'timeoutMilliseconds'>,
): Promise<Row[]> =>
  database.transaction(async (transaction) => {
    const values = [String(TIMEOUT_MILLISECONDS)];
    await query(transaction, { name: 'set-timeout-of-recount', text: SET_TIMEOUT, values });
    return query<Row>(transaction, { ...statement, timeoutMilliseconds: TIMEOUT_MILLISECONDS });
  });

const selectRepaired = (call: string): string =>
  `select key, kept::float8 as kept, counted::float8 as counted from ${call}`;

const toRepair = (table: TotalsTable): Statement =>
  table === 'audit_day_totals'
    ? { name: 'repair-audit-day-totals', text: selectRepaired('repair_audit_day_totals()'), values: [] }
    : { name: 'repair-totals', text: selectRepaired('repair_totals($1)'), values: [table] };

/** Each record of a day is in the total of that day, and may be in those of its actor, its target and so on. */
const isOfEachRow = (table: TotalsTable, key: Total['key']): boolean =>
  table !== 'audit_day_totals' || Object.keys(key).length === 1;

/**
 * Counts the rows and corrects the totals that differ, without blocking writers. Totals are wrong only after a bug, or when
 * an operator has disabled their triggers or restored some of the tables.
 */
export const repairTotals = async (database: Transactions, table: TotalsTable): Promise<Recount> => {
  const totals = await queryForLong<Total>(database, toRepair(table));
  return {
    table,
    rows: totals.filter(({ key }) => isOfEachRow(table, key)).reduce((sum, { counted }) => sum + counted, 0),
    differences: totals.filter(({ kept, counted }) => kept !== counted),
  };
};

/** Counts the past days of the audit log that have no totals yet. @returns the number of days */
export const storePastDayTotals = (database: Transactions): Promise<number> =>
  storeAuditDayTotals((text) => queryForLong(database, { name: 'store-audit-day-totals', text, values: [] }));

const DAY_MILLISECONDS = 86_400_000;

/** One table a night, in turn: the date decides, so that neither a restart nor a repetition changes the order. */
export const getTotalsTableOf = (time: Date): TotalsTable => {
  const day = Math.floor(time.getTime() / DAY_MILLISECONDS);
  return TOTALS_TABLES[day % TOTALS_TABLES.length] ?? TOTALS_TABLES[0];
};

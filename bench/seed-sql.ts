/** The number of rows of the generated data. */
export type DatasetSize = {
  users: number;
  projects: number;
  teams: number;
  auditRecords: number;
  contactRequests: number;
};

/**
 * Pseudo-random but the same in every run: a hash of the row number and the column. `age_share` is the
 * position of a row in time, from 0 (the oldest) to 1; a tenth of the rows were imported at the same time, in
 * the middle.
 */
export const FUNCTIONS = `
  create function pick(number bigint, purpose text, count int) returns int language sql immutable parallel safe
    return ((hashtextextended(purpose || number, 7) & 9007199254740991) % count)::int;
  create function choose(number bigint, purpose text, choices text[]) returns text language sql immutable parallel safe
    return choices[1 + pick(number, purpose, cardinality(choices))];
  create function age_share(number bigint, purpose text) returns float8 language sql immutable parallel safe
    return case when number % 10 = 7 then 0.5 else pick(number, purpose, 94608000) / 94608000.0 end;`;

export const textArray = (words: string): string =>
  `array['${words
    .trim()
    .split(/\s*\|\s*/)
    .join("', '")}']`;

/** $1 rows with their number n, their `share` of the age, and their time `at`. */
export const numberedRows = (purpose: string): string =>
  `(select n, share, timestamptz '2023-01-01 00:00Z' + share * interval '94608000 s' as at
    from (select n, age_share(n, '${purpose}') as share from generate_series(1, $1::bigint) n offset 0) shares) numbered`;

type ByAge = { oldest: string; newest: string; olderHalf?: string; otherwise: string };

/**
 * The share of time in which 2 % of the rows were created, because a tenth of all rows were imported at the
 * same time.
 */
const EDGE = 0.02 / 0.9;

/**
 * SQL expressions for the oldest 2 % of the rows, the newest 2 %, the rest of the older half, and all others.
 */
export const byAge = ({ oldest, newest, otherwise, olderHalf = otherwise }: ByAge): string =>
  `case when share < ${EDGE} then ${oldest} when share >= ${1 - EDGE} then ${newest}
    when share < 0.5 then ${olderHalf} else ${otherwise} end`;

import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { connectDatabase } from '@platform/shared/db/database';
import { type Recount, repairTotals, TOTALS_TABLES, type TotalsTable } from './cleanup/list-totals.ts';

// `npm run totals:repair`: recounts all list totals now, instead of one table a night.

/** @throws ConfigError when there is no such table */
const toTables = (name: string | undefined): readonly TotalsTable[] => {
  const tables = TOTALS_TABLES.filter((table) => name === undefined || table === name);
  if (tables.length === 0)
    throw new ConfigError(`Usage: npm run totals:repair [-- ${TOTALS_TABLES.join(' | ')}]`);
  return tables;
};

const formatRecount = ({ table, rows, differences }: Recount): string => {
  const repaired = differences.map(
    ({ key, kept, counted }) => `${JSON.stringify(key)} (kept ${kept}, counted ${counted})`,
  );
  const result = repaired.length === 0 ? 'no differences' : `repaired ${repaired.join(', ')}`;
  return `${table}: ${rows} rows counted, ${result}`;
};

await runCli(async () => {
  const tables = toTables(process.argv[2]);
  const database = connectDatabase({
    url: await findDatabaseUrl(process.env),
    applicationName: 'totals-repair',
    maxConnections: 1,
    onError: (error) => console.error(error.message),
  });
  try {
    let line = '';
    for (const table of tables) {
      // At once: what was repaired must be known even if a later table fails.
      if (line) console.log(line);
      line = formatRecount(await repairTotals(database, table));
    }
    return line;
  } finally {
    await database.close();
  }
});

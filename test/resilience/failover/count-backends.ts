import { queryDatabase } from '@platform/shared/testing/query-database';

const EVERY_MILLISECONDS = 1_000;
const COUNT = `
  select count(*)::int as count from pg_stat_activity
  where backend_type = 'client backend' and usename <> current_user`;

/** Counts the platform's backends each second at the server of `databaseUrl`, and keeps the maximum. */
export const countBackends = (databaseUrl: () => string) => {
  let max = 0;
  const count = async (): Promise<void> => {
    const [row] = await queryDatabase<{ count: number }>(databaseUrl(), COUNT);
    max = Math.max(max, row?.count ?? 0);
  };
  // There may be no server during the fault.
  const timer = setInterval(() => void count().catch(() => undefined), EVERY_MILLISECONDS);
  return {
    stop: (): number => {
      clearInterval(timer);
      return max;
    },
  };
};

import { runPeriodically } from '@platform/shared/async/tasks';
import { type Database, query } from '@platform/shared/db/database';
import type { Base } from '../infrastructure.ts';

/** An hour is stored at the latest this long after it can be. Until then, the overview counts its records. */
const INTERVAL_MILLISECONDS = 600_000;

/** Stores the counts of all hours that have none, so that the overview of the back office reads few records. */
export const storeHourlyCounts = async (database: Database): Promise<void> => {
  for (;;) {
    const text = 'select store_hourly_counts() as hours';
    const [stored] = await query<{ hours: number }>(database, {
      name: 'store-hourly-counts',
      text,
      values: [],
    });
    if (!stored?.hours) return;
  }
};

export const createStatisticsFeature = ({ database, onError }: Base<unknown>) =>
  runPeriodically(() => storeHourlyCounts(database), {
    intervalMilliseconds: INTERVAL_MILLISECONDS,
    onError,
  });

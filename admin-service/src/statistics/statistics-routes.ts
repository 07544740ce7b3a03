import type { AdminOperations } from '../authentication/operations.ts';
import { toDate } from '../lists/lists.ts';
import type { DayCounts } from './statistics.ts';
import type { StatisticsService } from './statistics-service.ts';

const toDayBody = ({ customers, employees, ...day }: DayCounts) => ({
  ...day,
  signUps: { customers, employees },
});

export const statisticsRoutes = (statistics: StatisticsService): Pick<AdminOperations, 'getStatistics'> => ({
  getStatistics: async ({ query: { days = 14, since } }) => {
    const { days: counts, ...others } = await statistics.read(days, toDate(since));
    return { status: 200, body: { days: counts.map(toDayBody), ...others } };
  },
});

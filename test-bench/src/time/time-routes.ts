import type { TestBenchOperations } from '../operations.ts';
import type { AgeService } from './age-service.ts';
import { parseDuration } from './duration.ts';

type Dependencies = {
  age: AgeService['age'];
  /** @throws AppError 404 unless the account belongs to a label */
  getPerson: (id: string) => Promise<unknown>;
};

export const timeRoutes = ({ age, getPerson }: Dependencies): Pick<TestBenchOperations, 'agePerson'> => ({
  agePerson: async ({ path, body }) => {
    const seconds = parseDuration(body.by);
    await getPerson(path.id);
    const { ended, now } = await age(path.id, seconds);
    return {
      status: 200,
      body: { ended, now: now.map(({ what, until }) => ({ what, until: until.toISOString() })) },
    };
  },
});

import type { TestBenchOperations } from '../operations.ts';
import type { PeopleService } from './people-service.ts';

export const peopleRoutes = ({
  create,
}: Pick<PeopleService, 'create'>): Pick<TestBenchOperations, 'createPerson'> => ({
  createPerson: async ({ body }) => {
    const { label, is = 'verified', kind = 'customer', with: additions = [], profile, language } = body;
    const wanted = { label, is, kind, with: additions, profile, language };
    return { status: 201, body: await create(wanted) };
  },
});

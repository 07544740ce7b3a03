import type { TestBenchOperations } from '../operations.ts';
import type { FaultService } from './faults-service.ts';

export const faultRoutes = (
  faults: FaultService,
): Pick<TestBenchOperations, 'createFault' | 'getFault' | 'deleteFault'> => ({
  createFault: async ({ body }) => ({ status: 201, body: { id: await faults.create(body) } }),
  getFault: ({ path }) => {
    const { hits, requestIds } = faults.get(path.id);
    return { status: 200, body: { hits, requestIds } };
  },
  deleteFault: ({ path }) => {
    faults.remove(path.id);
    return { status: 204 };
  },
});

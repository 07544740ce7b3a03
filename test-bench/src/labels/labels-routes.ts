import type { TestBenchOperations } from '../operations.ts';
import type { NetworkService } from './networks-service.ts';

type Dependencies = {
  networks: NetworkService;
  /** Deletes everything of a label. */
  deleteLabel: (label: string) => Promise<void>;
};

export const labelRoutes = ({
  networks,
  deleteLabel,
}: Dependencies): Pick<TestBenchOperations, 'addNetwork' | 'deleteLabel'> => ({
  addNetwork: async ({ path }) => ({ status: 201, body: { network: await networks.add(path.label) } }),
  deleteLabel: async ({ path }) => {
    await deleteLabel(path.label);
    return { status: 204 };
  },
});

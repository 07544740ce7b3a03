import { createRecentProofRequirement } from '@platform/shared/platform/access/recent-proof';
import type { AuthOperations } from '../authentication/operations.ts';
import type { Base } from '../infrastructure.ts';
import { toConfirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationStores } from '../second-factor/confirmation-service.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import { createRecentProofService } from './recent-proof-service.ts';

type Config = { adminProofSeconds: number };
type EarlierFeatures = { secondFactor: SecondFactorFeature };

export const createRecentProofFeature = (
  base: Base<ConfirmationStores, Config>,
  { secondFactor }: EarlierFeatures,
) => {
  const recentProof = createRecentProofService({ ...base, ...secondFactor });
  return {
    requireRecentProof: createRecentProofRequirement(base.config.adminProofSeconds),
    routes: {
      administratorProve: async ({ caller, body }) => {
        await recentProof.prove(caller, toConfirmation(body));
        return { status: 204 };
      },
    } satisfies Partial<AuthOperations>,
  };
};

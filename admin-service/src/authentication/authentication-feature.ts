import type { Secret } from '@platform/shared/config/secrets';
import {
  createPreferencesUpdate,
  createSecondFactorRequirement,
} from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { createRecentProofRequirement } from '@platform/shared/platform/access/recent-proof';
import { createTokenKeys } from '@platform/shared/tokens/tokens';
import type { Base } from '../infrastructure.ts';
import { createCallerStore } from './callers-store.ts';
import { createBearerAuthentication } from './security.ts';

type Config = {
  accessSecret: Secret;
  secondFactorRequiredFor: readonly PlatformRole[];
  adminProofSeconds: number;
};

export const createAuthenticationFeature = ({ config, database, background }: Base<unknown, Config>) => {
  const { checkAccess } = createCallerStore(database);
  return {
    authenticateBearer: createBearerAuthentication({
      accessKeys: createTokenKeys(config.accessSecret),
      checkAccess,
      updatePreferences: createPreferencesUpdate(database, background),
    }),
    requireSecondFactor: createSecondFactorRequirement(config.secondFactorRequiredFor),
    requireRecentProof: createRecentProofRequirement(config.adminProofSeconds),
  };
};

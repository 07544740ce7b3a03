import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { ConfirmCaller } from '../confirm-caller.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { createAssertionService } from '../webauthn/assertions-service.ts';
import { createCeremonyStore } from '../webauthn/passkeys-store.ts';
import { createWebauthn } from '../webauthn/webauthn-adapter.ts';
import { passkeyRoutes } from './passkeys-routes.ts';
import { createPasskeyService } from './passkeys-service.ts';

/** With these settings, the operations are not offered and no assertion is valid. */
const WITHOUT_PASSKEYS = { rpId: '', isAllowedOrigin: () => false };

export const createPasskeysFeature = (infrastructure: Infrastructure, { changes }: AccountsFeature) => {
  const { config, redis } = infrastructure;
  const common = {
    ...infrastructure,
    ceremonies: createCeremonyStore(redis),
    webauthn: createWebauthn({ ...(config.webauthn ?? WITHOUT_PASSKEYS), rpName: config.productName }),
  };
  const assertions = createAssertionService(common);
  return {
    assertions,
    createRoutes: (confirmCaller: ConfirmCaller) =>
      passkeyRoutes(createPasskeyService({ ...common, changes, confirmCaller }), assertions),
  };
};

export type PasskeysFeature = ReturnType<typeof createPasskeysFeature>;

import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { Base } from '../infrastructure.ts';
import { createAssertionService } from './assertions-service.ts';
import { createCeremonyStore, type PasskeyStore } from './passkeys-store.ts';
import { createWebauthn } from './webauthn-adapter.ts';
import type { WebauthnSettings } from './webauthn-settings.ts';

/** Settings with which the operations are not offered and no assertion is valid. */
const WITHOUT_PASSKEYS = { rpId: '', isAllowedOrigin: () => false };

type Stores = { passkeys: PasskeyStore; audit: AuditLog };
type Config = { webauthn: WebauthnSettings | undefined; productName: string };

export const createWebauthnFeature = (base: Base<Stores, Config>) => {
  const { config, redis } = base;
  const ceremonies = createCeremonyStore(redis);
  const webauthn = createWebauthn({ ...(config.webauthn ?? WITHOUT_PASSKEYS), rpName: config.productName });
  const assertions = createAssertionService({ ...base, ceremonies, webauthn });
  return { assertions, ceremonies, webauthn, offersPasskeys: config.webauthn !== undefined };
};

export type WebauthnFeature = ReturnType<typeof createWebauthnFeature>;

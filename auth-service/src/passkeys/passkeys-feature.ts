import type { OfferedMethods } from '../accounts/sign-in-method.ts';
import type { Base } from '../infrastructure.ts';
import type { FactorChangeStores } from '../second-factor/factor-changes-service.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import type { WebauthnFeature } from '../webauthn/webauthn-feature.ts';
import { passkeyRoutes } from './passkeys-routes.ts';
import { createPasskeyService } from './passkeys-service.ts';

type EarlierFeatures = { webauthn: WebauthnFeature; secondFactor: SecondFactorFeature };

export const createPasskeysFeature = (
  base: Base<FactorChangeStores, OfferedMethods>,
  { webauthn, secondFactor }: EarlierFeatures,
) => {
  const passkeys = createPasskeyService({ ...base, ...webauthn, ...secondFactor });
  return { routes: passkeyRoutes(passkeys) };
};

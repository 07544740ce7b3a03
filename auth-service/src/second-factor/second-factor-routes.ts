import type { AuthOperations } from '../authentication/operations.ts';
import { toConfirmation } from './confirmation.ts';
import type { SecondFactorService } from './second-factor-service.ts';

export const secondFactorRoutes = (secondFactor: SecondFactorService) =>
  ({
    secondFactor: async ({ caller }) => {
      const { totpEnabledAt, ...rest } = await secondFactor.getState(caller.account.userId);
      return { status: 200, body: { totp: totpEnabledAt && { enabledAt: totpEnabledAt }, ...rest } };
    },

    totpSetUp: async ({ caller, body }) => {
      const { secret, otpauthUrl } = await secondFactor.setUpTotp(caller, toConfirmation(body));
      return { status: 201, body: { secret, otpauthUrl } };
    },

    totpConfirm: async ({ caller, body }) => {
      const recoveryCodes = await secondFactor.confirmTotp(caller, body.code);
      return { status: 200, body: { recoveryCodes } };
    },

    totpRemove: async ({ caller, body }) => {
      await secondFactor.removeTotp(caller, toConfirmation(body));
      return { status: 204 };
    },

    recoveryCodesReplace: async ({ caller, body }) => {
      const recoveryCodes = await secondFactor.replaceRecoveryCodes(caller, toConfirmation(body));
      return { status: 200, body: { recoveryCodes } };
    },
  }) satisfies Partial<AuthOperations>;

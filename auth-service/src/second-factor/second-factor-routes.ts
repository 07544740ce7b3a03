import type { AuthOperations } from '../authentication/operations.ts';
import { toConfirmation } from './confirmation.ts';
import type { SecondFactorService } from './second-factor-service.ts';

const toStateBody = <State extends { totpEnabledAt: Date | null }>({ totpEnabledAt, ...rest }: State) => ({
  totp: totpEnabledAt && { enabledAt: totpEnabledAt },
  ...rest,
});

export const secondFactorRoutes = (secondFactor: SecondFactorService) =>
  ({
    secondFactor: async ({ caller }) => ({
      status: 200,
      body: toStateBody(await secondFactor.getState(caller.account.userId)),
    }),

    secondFactorChange: async ({ caller, body }) => {
      const state = await secondFactor.changeSecondStep(caller, body.isRequired, toConfirmation(body));
      return { status: 200, body: toStateBody(state) };
    },

    totpSetUp: async ({ caller, body }) => {
      const { secret, otpauthUrl } = await secondFactor.setUpTotp(caller, toConfirmation(body));
      return { status: 201, body: { secret, otpauthUrl } };
    },

    totpConfirm: async ({ caller, body }) => {
      return { status: 200, body: await secondFactor.confirmTotp(caller, body.code) };
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

import type { KindOperations } from '../operations.ts';
import { toPasskeyBody } from '../passkeys/passkey-mapper.ts';
import { requireProof } from './second-factor.ts';
import type { SecondFactorService } from './second-factor-service.ts';

type SecondFactorOperation =
  | 'secondFactor'
  | 'totpSetUp'
  | 'totpConfirm'
  | 'totpRemove'
  | 'recoveryCodesReplace';

export const secondFactorRoutes = (
  secondFactor: SecondFactorService,
): Pick<KindOperations, SecondFactorOperation> => ({
  secondFactor: async ({ caller }) => {
    const { totpEnabledAt, passkeys, recoveryCodesLeft } = await secondFactor.getState(caller.account.userId);
    return {
      status: 200,
      body: {
        totp: totpEnabledAt && { enabledAt: totpEnabledAt.toISOString() },
        passkeys: passkeys.map(toPasskeyBody),
        recoveryCodesLeft,
      },
    };
  },

  totpSetUp: async (request) => {
    const { caller, body } = request;
    const { secret, otpauthUrl } = await secondFactor.setUpTotp(caller, body, request.context);
    return { status: 201, body: { secret, otpauthUrl } };
  },

  totpConfirm: async (request) => {
    const { caller, body } = request;
    const recoveryCodes = await secondFactor.confirmTotp(caller, body.code, request.context);
    return { status: 200, body: { recoveryCodes } };
  },

  totpRemove: async (request) => {
    const { currentPassword, ...fields } = request.body;
    const confirmation = { currentPassword, proof: requireProof(fields) };
    await secondFactor.removeTotp(request.caller, confirmation, request.context);
    return { status: 204 };
  },

  recoveryCodesReplace: async (request) => {
    const { currentPassword, ...fields } = request.body;
    const confirmation = { currentPassword, proof: requireProof(fields) };
    const recoveryCodes = await secondFactor.replaceRecoveryCodes(
      request.caller,
      confirmation,
      request.context,
    );
    return { status: 200, body: { recoveryCodes } };
  },
});

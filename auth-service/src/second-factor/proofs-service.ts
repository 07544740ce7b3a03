import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Account } from '../accounts/account.ts';
import type { ConsumePasskey, ConsumeProof } from '../feature-types.ts';
import type { Kind } from '../kinds.ts';
import type { Stores } from '../stores.ts';
import { proofExpected } from './second-factor.ts';
import type { TotpCodes } from './totp-codes.ts';

type Dependencies = {
  totp: TotpCodes;
  consumePasskey: ConsumePasskey;
  recordRecoveryCodeUse: (
    stores: Stores,
    owner: { kind: Kind; account: Account },
    context: RequestContext,
  ) => Promise<void>;
};

export const createProofConsumer = (dependencies: Dependencies): ConsumeProof => {
  const { totp, consumePasskey, recordRecoveryCodeUse } = dependencies;

  const consumeTotpCode = async (
    { secondFactor }: Stores,
    userId: string,
    code: string,
  ): Promise<boolean> => {
    const factor = await secondFactor.findTotp(userId);
    const used = factor?.isEnabled && totp.verify(factor, code);
    if (!used) return false;
    await secondFactor.useTotp(userId, used.sealedSecret, used.step);
    return true;
  };

  return async (stores, owner, proof, ceremony, context) => {
    if (!proof) throw proofExpected();
    const { userId } = owner.account;
    if ('totpCode' in proof)
      return (await consumeTotpCode(stores, userId, proof.totpCode)) ? 'totp' : undefined;
    if ('passkey' in proof)
      return (await consumePasskey(stores, userId, proof.passkey, ceremony, context)) ? 'passkey' : undefined;
    if (!(await stores.secondFactor.useRecoveryCode(userId, proof.recoveryCode))) return undefined;
    await recordRecoveryCodeUse(stores, owner, context);
    return 'recovery-code';
  };
};

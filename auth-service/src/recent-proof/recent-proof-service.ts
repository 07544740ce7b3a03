import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationService, ConfirmationStores } from '../second-factor/confirmation-service.ts';

type Dependencies = {
  inTransaction: InTransaction<ConfirmationStores>;
  confirmations: ConfirmationService;
};

export const createRecentProofService = ({ inTransaction, confirmations }: Dependencies) => ({
  /**
   * Stored with the tokens of the session, so that it ends with them.
   * @throws the errors of inConfirmedTransaction
   */
  prove: (caller: ConfirmingCaller, confirmation: Confirmation): Promise<void> => {
    const record = ({ tokenRecords }: ConfirmationStores) => tokenRecords.recordProof(caller.tokenId);
    return confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'or-passkey', record);
  },
});

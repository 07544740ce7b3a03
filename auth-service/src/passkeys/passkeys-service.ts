import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { requireVerifiedEmail } from '@platform/shared/platform/accounts/account';
import { toOwnAudit } from '../accounts/account-audit.ts';
import { toPreparationOwner } from '../accounts/account-state.ts';
import { type OfferedMethods, requireSignInMethod } from '../accounts/sign-in-method.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';
import type { FactorChangeService, FactorChangeStores } from '../second-factor/factor-changes-service.ts';
import type { NewRecoveryCodes } from '../second-factor/second-factor.ts';
import type { AssertionService } from '../webauthn/assertions-service.ts';
import {
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyAttestation,
  type PasskeyCredential,
  passkeyNotFound,
  tooManyPasskeys,
} from '../webauthn/passkey.ts';
import type { CeremonyStore, PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { Webauthn } from '../webauthn/webauthn-adapter.ts';

type Dependencies = {
  config: OfferedMethods;
  stores: Pick<FactorChangeStores, 'accounts'>;
  inTransaction: InTransaction<FactorChangeStores>;
  ceremonies: CeremonyStore;
  webauthn: Webauthn;
  assertions: AssertionService;
  factorChanges: FactorChangeService;
  confirmations: ConfirmationService;
};

/** @throws AppError 409 PASSKEY_LIMIT_REACHED */
const listWithRoom = async (
  { passkeys }: { passkeys: PasskeyStore },
  userId: string,
): Promise<PasskeyCredential[]> => {
  const existing = await passkeys.listCredentials(userId);
  if (existing.length >= MAX_PASSKEYS) throw tooManyPasskeys();
  return existing;
};

/** Lists and changes the passkeys of the signed-in user. */
export const createPasskeyService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, ceremonies, webauthn, assertions } = dependencies;
  const { factorChanges, confirmations } = dependencies;

  const findOwner = async ({ kind, account, tokenId }: ConfirmingCaller): Promise<string> =>
    toPreparationOwner(tokenId, await stores.accounts.findById(kind, account.userId));

  /** Uses up the challenge. @throws AppError 401 SECOND_FACTOR_INVALID */
  const verifyAttestation = async (owner: string, attestation: PasskeyAttestation) => {
    const challenge = await webauthn.findChallenge(attestation);
    const binding = { purpose: 'registration', owner } as const;
    if (challenge === undefined || !(await ceremonies.consume(challenge, binding)))
      throw secondFactorInvalid();
    const credential = await webauthn.verifyAttestation(attestation, challenge);
    if (!credential) throw secondFactorInvalid();
    return credential;
  };

  return {
    /**
     * @throws AppError 403 EMAIL_NOT_VERIFIED, 409 PASSKEY_LIMIT_REACHED, and the errors of
     * inConfirmedTransaction
     */
    createOptions: async (caller: ConfirmingCaller, confirmation: Confirmation) => {
      requireVerifiedEmail(caller.account);
      const { userId } = caller.account;
      const prepare = async (stores: FactorChangeStores) => ({
        existing: await listWithRoom(stores, userId),
        owner: toPreparationOwner(caller.tokenId, await stores.accounts.lock(userId)),
      });
      const confirmed = [inTransaction, caller, confirmation, 'never', prepare] as const;
      const { existing, owner } = await confirmations.inConfirmedTransaction(...confirmed);
      const options = await webauthn.createCreationOptions(caller.account, existing);
      await ceremonies.add(options.challenge, { purpose: 'registration', owner });
      return options;
    },

    /** Options for a passkey that confirms a change. @throws AppError 404 PASSKEY_NOT_FOUND */
    createConfirmationOptions: async (caller: ConfirmingCaller) =>
      await assertions.createFactorOptions(caller.account.userId, {
        purpose: 'confirmation',
        owner: await findOwner(caller),
      }),

    /**
     * Returns recovery codes, too, if a role that requires a factor makes the second step start with this
     * one.
     * @throws AppError 401 SECOND_FACTOR_INVALID, TOKEN_INVALID, 403 EMAIL_NOT_VERIFIED; 409 PASSKEY_TAKEN,
     * PASSKEY_LIMIT_REACHED; 429
     */
    add: async (
      caller: ConfirmingCaller,
      { response, name }: { response: PasskeyAttestation; name: string },
    ): Promise<Passkey & NewRecoveryCodes> => {
      const { account, tokenId } = caller;
      requireVerifiedEmail(account);
      const owner = await findOwner(caller);
      const credential = await verifyAttestation(owner, response);
      return await inTransaction(async (stores) => {
        const user = await stores.accounts.lock(account.userId);
        requireVerifiedEmail(user);
        if (toPreparationOwner(tokenId, user) !== owner) throw secondFactorInvalid();
        await listWithRoom(stores, account.userId);
        const create = () => stores.passkeys.create(account.userId, name, credential);
        const toDetails = ({ id }: Passkey) => ({ passkeyId: id });
        const change = [stores, caller, 'PASSKEY_ADDED', create, toDetails] as const;
        const { result, given } = await factorChanges.changeFactors(...change);
        return { ...result, ...given };
      });
    },

    /** @throws AppError 404 PASSKEY_NOT_FOUND */
    rename: (caller: ConfirmingCaller, passkeyId: string, name: string): Promise<Passkey> =>
      inTransaction(async (stores) => {
        const passkey = await stores.passkeys.rename(caller.account.userId, passkeyId, name);
        if (!passkey) throw passkeyNotFound();
        await stores.audit.add(toOwnAudit('PASSKEY_RENAMED', caller, { passkeyId }));
        return passkey;
      }),

    /**
     * @throws AppError 404 PASSKEY_NOT_FOUND, 409 LAST_SIGN_IN_METHOD, and the errors of
     * inConfirmedTransaction and changeFactors
     */
    remove: (caller: ConfirmingCaller, passkeyId: string, confirmation: Confirmation): Promise<void> => {
      const { userId } = caller.account;
      const change = async (stores: FactorChangeStores) => {
        const remove = async () => {
          if (!(await stores.passkeys.remove(userId, passkeyId))) throw passkeyNotFound();
          const left = await stores.accounts.findSignInMethods(userId);
          requireSignInMethod(left, caller.account.roles, config);
        };
        await factorChanges.changeFactors(stores, caller, 'PASSKEY_REMOVED', remove, () => ({ passkeyId }));
      };
      return confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'if-due', change);
    },
  };
};

export type PasskeyService = ReturnType<typeof createPasskeyService>;

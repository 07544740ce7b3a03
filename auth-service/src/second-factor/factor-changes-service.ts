import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { SecondFactorChange } from '@platform/shared/platform/mail/mail';
import { toEndedDetails, toOwnAudit } from '../accounts/account-audit.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { ChangeLimitService } from '../guess-limits/change-limits-service.ts';
import type { ChangeOf } from '../guess-limits/guess-limits.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { ConfirmationStores } from './confirmation-service.ts';
import type { RecoveryCodes } from './recovery-codes-adapter.ts';
import {
  type Consequences,
  decideConsequences,
  type NewRecoveryCodes,
  type SecondStep,
  secondFactorNeeded,
  type ToSecondStep,
} from './second-factor.ts';

/** Changes of factors by their owner, as named in the audit log and in the mail to the owner. */
const FACTOR_CHANGES = {
  TOTP_ENABLED: 'totp-enabled',
  TOTP_DISABLED: 'totp-disabled',
  PASSKEY_ADDED: 'passkey-added',
  PASSKEY_REMOVED: 'passkey-removed',
  RECOVERY_CODES_REPLACED: 'recovery-codes-replaced',
  SECOND_STEP_ENABLED: 'second-step-enabled',
  SECOND_STEP_DISABLED: 'second-step-disabled',
} as const satisfies Record<ChangeOf<'factors'>, SecondFactorChange>;

/** The stores of the transaction of a confirmed change of factors, which may end sessions. */
export type FactorChangeStores = ConfirmationStores & { sessions: SessionStore };

type Dependencies = {
  changeLimits: ChangeLimitService;
  recoveryCodes: RecoveryCodes;
  toSecondStep: ToSecondStep;
};

type FactorAction = ChangeOf<'factors'>;

/** Changes of factors by their owner, in a transaction that has locked the user. */
export const createFactorChangeService = ({ changeLimits, recoveryCodes, toSecondStep }: Dependencies) => {
  const readSecondStep = async ({ accounts }: Pick<FactorChangeStores, 'accounts'>, userId: string) =>
    toSecondStep(await accounts.getFactors(userId));

  /** Returns the codes. */
  const storeNewCodes = async (
    { secondFactor }: Pick<FactorChangeStores, 'secondFactor'>,
    userId: string,
  ): Promise<string[]> => {
    const codes = recoveryCodes.generate();
    await secondFactor.replaceRecoveryCodes(userId, recoveryCodes.seal(userId, codes));
    return codes;
  };

  /**
   * Switches the second step off with the last factor, and deletes the recovery codes once no second step is
   * due. Returns the state afterwards.
   */
  const settle = async (
    stores: FactorChangeStores,
    userId: string,
    before: SecondStep,
  ): Promise<SecondStep> => {
    let after = await readSecondStep(stores, userId);
    if (after.isOwed && before.hasFactor && !after.hasFactor) throw secondFactorNeeded();
    if (!after.hasFactor) {
      await stores.secondFactor.setSecondStep(userId, false);
      after = await readSecondStep(stores, userId);
    }
    if (!after.isDue) await stores.secondFactor.replaceRecoveryCodes(userId, []);
    return after;
  };

  /** Returns how many sessions have ended. */
  const changeSessions = async (
    { sessions, tokenRecords }: FactorChangeStores,
    { account: { userId }, tokenId }: ConfirmingCaller,
    { endsOtherSessions, provedFactor }: Consequences,
    { hasFactor }: SecondStep,
  ): Promise<number> => {
    const ended = endsOtherSessions ? await sessions.removeTokensOfUser(userId, tokenId) : 0;
    // A factor that is added later must be proved again.
    if (!hasFactor) await tokenRecords.resetMethods(tokenId);
    // Otherwise a request that was waiting while the owner ended this session would still change the account.
    const isOpen = provedFactor
      ? await tokenRecords.addMethod(tokenId, provedFactor)
      : await tokenRecords.exists(tokenId);
    if (!isOpen) throw tokenInvalid();
    return ended;
  };

  const record = async (
    { outbox, audit }: FactorChangeStores,
    caller: ConfirmingCaller,
    action: FactorAction,
    details: object,
  ): Promise<void> => {
    const { userId, email: to, language, isEmailVerified } = caller.account;
    const notice = { to, language, isEmailVerified, changedAt: new Date().toISOString() };
    const mail = { template: 'second-factor-changed', ...notice, change: FACTOR_CHANGES[action] } as const;
    await outbox.add(mail, caller.context.requestId, userId);
    await audit.add(toOwnAudit(action, caller, details));
  };

  /**
   * Makes the change with all its consequences, and audits and mails it. Returns its result, and recovery
   * codes if it gives any.
   * @throws AppError 429 RATE_LIMITED, 409 SECOND_FACTOR_NEEDED for the last factor of a user whose role
   * requires one, 401 TOKEN_INVALID if the session has ended
   */
  const changeFactors = async <Result>(
    stores: FactorChangeStores,
    caller: ConfirmingCaller,
    action: FactorAction,
    change: () => Promise<Result>,
    toDetails?: (result: Result) => object,
  ): Promise<{ result: Result; given: NewRecoveryCodes }> => {
    const { userId } = caller.account;
    const before = await readSecondStep(stores, userId);
    const result = await change();
    await changeLimits.requireChangeAllowed(stores, userId, 'factors');
    const after = await settle(stores, userId, before);
    const consequences = decideConsequences(action, before, after);
    if (consequences.endsPrepared) await stores.secondFactor.raiseVersion(userId);
    const ended = await changeSessions(stores, caller, consequences, after);
    await record(stores, caller, action, { ...toDetails?.(result), ...toEndedDetails(ended) });
    const { givesRecoveryCodes } = consequences;
    return {
      result,
      given: givesRecoveryCodes ? { recoveryCodes: await storeNewCodes(stores, userId) } : {},
    };
  };

  return {
    readSecondStep,
    changeFactors,

    /** Makes this change by `changeFactors`. Returns the codes, which are shown only once. */
    replaceRecoveryCodes: async (stores: FactorChangeStores, caller: ConfirmingCaller): Promise<string[]> => {
      const replace = () => storeNewCodes(stores, caller.account.userId);
      return (await changeFactors(stores, caller, 'RECOVERY_CODES_REPLACED', replace)).result;
    },
  };
};

export type FactorChangeService = ReturnType<typeof createFactorChangeService>;

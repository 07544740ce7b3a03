import type { Log } from '@platform/shared/log/log';
import type { Kind } from '../kinds.ts';
import {
  type CeremonyBinding,
  type FactorCeremony,
  type PasskeyAssertion,
  type PasskeyCredential,
  passkeyNotFound,
  toUserHandle,
  type UserVerification,
  type VerifiedAssertion,
} from './passkey.ts';
import type { CeremonyStore, PasskeyStore } from './passkeys-store.ts';
import type { RequestOptions, Webauthn } from './webauthn-adapter.ts';

type Stores = { passkeys: PasskeyStore };

type Dependencies = {
  stores: Pick<Stores, 'passkeys'>;
  log: Log;
  ceremonies: CeremonyStore;
  webauthn: Webauthn;
};

type FactorOwner = { account: { userId: string } };

const toSignInBinding = (kind: Kind, fingerprint: string): CeremonyBinding => ({
  purpose: 'sign-in',
  owner: `${kind}:${fingerprint}`,
});

/** A passkey counts as two factors only if its authenticator verifies the user. */
const getUserVerification = (ceremony: CeremonyBinding | FactorCeremony): UserVerification => {
  if (ceremony.purpose === 'sign-in') return 'required';
  return 'userVerification' in ceremony ? ceremony.userVerification : 'preferred';
};

/** An authenticator may omit the handle only if the options name its passkey. */
const isOwnersHandle = (
  userHandle: string | undefined,
  userId: string,
  { purpose }: CeremonyBinding,
): boolean => (userHandle === undefined ? purpose !== 'sign-in' : userHandle === toUserHandle(userId));

export const createAssertionService = ({ stores, log, ceremonies, webauthn }: Dependencies) => {
  const createOptions = async (binding: CeremonyBinding, credentials: readonly PasskeyCredential[]) => {
    const options = await webauthn.createRequestOptions(getUserVerification(binding), credentials);
    await ceremonies.add(options.challenge, binding);
    return options;
  };

  /**
   * Keyed by assertion, because a transaction that is repeated after a deadlock verifies the same assertion
   * again.
   */
  const consumptions = new WeakMap<PasskeyAssertion, Promise<boolean>>();
  const consumeOnce = (challenge: string, assertion: PasskeyAssertion, binding: CeremonyBinding) => {
    const consumption = consumptions.get(assertion) ?? ceremonies.consume(challenge, binding);
    consumptions.set(assertion, consumption);
    return consumption;
  };

  /** Uses up the challenge, whether the assertion is valid or not. */
  const verify = async (
    { passkeys }: Pick<Stores, 'passkeys'>,
    assertion: PasskeyAssertion,
    binding: CeremonyBinding,
  ) => {
    const challenge = await webauthn.findChallenge(assertion);
    if (challenge === undefined || !(await consumeOnce(challenge, assertion, binding))) return undefined;
    const passkey = await passkeys.findByCredentialId(assertion.id);
    // The browser may then stop offering it. Ids cannot be guessed, and one of an unknown passkey identifies
    // no user.
    if (!passkey && binding.purpose === 'sign-in') throw passkeyNotFound();
    if (!passkey || !isOwnersHandle(assertion.response.userHandle, passkey.userId, binding)) return undefined;
    const userVerification = getUserVerification(binding);
    const verified = await webauthn.verifyAssertion({ assertion, challenge, passkey, userVerification });
    return verified && { passkey, ...verified };
  };

  /**
   * False if the counter has gone back: two authenticators may have the same private key (WebAuthn 3, 6.1.1).
   */
  const recordUse = async (
    { passkeys }: Pick<Stores, 'passkeys'>,
    { passkey: { id: passkeyId, userId }, counter, verifiesUser }: VerifiedAssertion,
  ): Promise<boolean> => {
    if (await passkeys.recordUse(passkeyId, counter, verifiesUser)) return true;
    log.warn({ userId, passkeyId, counter }, 'signature counter of a passkey went back');
    return false;
  };

  return {
    recordUse,

    /**
     * Verifies the assertion of a second factor and makes it unusable, within the transaction of `stores`.
     * False if it is wrong, replayed or expired.
     */
    consumePasskey: async (
      stores: Stores,
      { account }: FactorOwner,
      assertion: PasskeyAssertion,
      ceremony: FactorCeremony,
    ): Promise<boolean> => {
      const verified = await verify(stores, assertion, ceremony);
      return verified?.passkey.userId === account.userId && (await recordUse(stores, verified));
    },

    /**
     * Also undefined if the authenticator has not verified the user. @throws AppError 404 PASSKEY_NOT_FOUND
     */
    verifySignIn: (kind: Kind, assertion: PasskeyAssertion, fingerprint: string) =>
      verify(stores, assertion, toSignInBinding(kind, fingerprint)),

    /** The options name no account, so the authenticator offers its passkeys. */
    createSignInOptions: (kind: Kind, fingerprint: string): Promise<RequestOptions> =>
      createOptions(toSignInBinding(kind, fingerprint), []),

    /**
     * The options for a second factor name the user's passkeys. @throws AppError 404 PASSKEY_NOT_FOUND if
     * there is none
     */
    createFactorOptions: async (userId: string, ceremony: FactorCeremony): Promise<RequestOptions> => {
      const credentials = await stores.passkeys.listCredentials(userId);
      if (credentials.length === 0) throw passkeyNotFound();
      return await createOptions(ceremony, credentials);
    },
  };
};

export type AssertionService = ReturnType<typeof createAssertionService>;

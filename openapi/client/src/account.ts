// biome-ignore-all lint/performance/noBarrelFile: the entry of the published package.
import { abortable } from './abortable.ts';
import type { Kind, UserOf } from './kinds.ts';
import type {
  AccountExport,
  AuditRecordsExport,
  EmailChange,
  EmailChangePending,
  EmailChangeRequested,
  FactorConfirmation,
  Passkey,
  PasskeyCreationOptions,
  PasswordConfirmation,
  Profile,
  ProfileChange,
  SecondFactorChanged,
  SecondFactorState,
  SecondStep,
  SignedInAs,
  TotpSecret,
} from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import { signalPasskeys } from './passkey-signals.ts';
import type { PlatformClient, ProfileClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

export {
  getSignInMethods,
  listSignIns,
  sendNewDeviceCode,
  sendSignInCode,
  signInWithCode,
} from './sign-in.ts';

type Method = 'get' | 'post' | 'patch' | 'delete';

const send = (client: object, method: Method, path: string, options?: object): Promise<never> => {
  const { auth, request } = getSession(client);
  return request(method, `${auth}/${path}`, options);
};

/**
 * The second step of a sign-in that was rejected with SECOND_FACTOR_REQUIRED. It can be repeated after
 * SECOND_FACTOR_INVALID; after CHALLENGE_INVALID, start the sign-in again.
 */
export const completeSignIn = <K extends Kind>(
  client: PlatformClient<K>,
  step: SecondStep,
  options?: CallSignal,
): Promise<SignedInAs<K>> => getSession(client).openSession('sign-in/second-factor', step, options);

export const getSecondFactor = <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<SecondFactorState> => send(client, 'get', 'second-factor', options);

/**
 * Switches the second step on or off for a user with a passkey; an authenticator app always makes it due. Ends
 * the user's other sessions. Resolves with recovery codes if the second step begins, which cannot be read again.
 */
export const switchSecondStep = <K extends Kind>(
  client: PlatformClient<K>,
  body: { isRequired: boolean } & FactorConfirmation,
  options?: CallSignal,
): Promise<SecondFactorChanged> => send(client, 'patch', 'second-factor', { ...options, body });

/** Returns the secret for an authenticator app. It has no effect until `confirmTotp`. */
export const setUpTotp = <K extends Kind>(
  client: PlatformClient<K>,
  body: PasswordConfirmation,
  options?: CallSignal,
): Promise<TotpSecret> => send(client, 'post', 'second-factor/totp', { ...options, body });

/**
 * Ends the user's other sessions. Resolves with the recovery codes, which cannot be read again; empty if the
 * user has some already.
 */
export const confirmTotp = async <K extends Kind>(
  client: PlatformClient<K>,
  code: string,
  options?: CallSignal,
): Promise<string[]> => {
  const { recoveryCodes = [] }: { recoveryCodes?: string[] } = await send(
    client,
    'post',
    'second-factor/totp/confirm',
    { ...options, body: { code } },
  );
  return recoveryCodes;
};

/** Ends the user's other sessions. */
export const removeTotp = <K extends Kind>(
  client: PlatformClient<K>,
  body: FactorConfirmation,
  options?: CallSignal,
): Promise<void> => send(client, 'delete', 'second-factor/totp', { ...options, body });

/** Ends the user's other sessions. The previous recovery codes become invalid. */
export const replaceRecoveryCodes = async <K extends Kind>(
  client: PlatformClient<K>,
  body: FactorConfirmation,
  options?: CallSignal,
): Promise<string[]> => {
  const { recoveryCodes }: { recoveryCodes: string[] } = await send(
    client,
    'post',
    'second-factor/recovery-codes',
    { ...options, body },
  );
  return recoveryCodes;
};

export const listPasskeys = async <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<Passkey[]> => (await getSecondFactor(client, options)).passkeys;

export const renamePasskey = <K extends Kind>(
  client: PlatformClient<K>,
  passkeyId: string,
  name: string,
  options?: CallSignal,
): Promise<Passkey> =>
  send(client, 'patch', 'passkeys/{passkeyId}', {
    ...options,
    params: { path: { passkeyId } },
    body: { name },
  });

/**
 * While a second step is due, this takes a factor and ends the user's other sessions. Browsers without the
 * Signal API still offer the passkey, although it no longer works.
 */
export const deletePasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  passkeyId: string,
  body: FactorConfirmation,
  options?: CallSignal,
): Promise<void> => {
  await send(client, 'delete', 'passkeys/{passkeyId}', { ...options, params: { path: { passkeyId } }, body });
  await signalPasskeys('signalAllAcceptedCredentials', async () => {
    // Only the options of a registration contain the ids that authenticators know.
    const call = { ...options, body: { currentPassword: body.currentPassword } };
    const {
      rp,
      user,
      excludeCredentials = [],
    }: PasskeyCreationOptions = await send(client, 'post', 'passkeys/options', call);
    return {
      rpId: rp.id ?? '',
      userId: user.id,
      allAcceptedCredentialIds: excludeCredentials.map(({ id }) => id),
    };
  });
};

/** After PROOF_REQUIRED; afterwards, repeat the call. A passkey alone is enough. */
export const proveIdentity = (
  client: PlatformClient<'administrator'>,
  body: FactorConfirmation,
  options?: CallSignal,
): Promise<void> => send(client, 'post', 'proof', { ...options, body });

/**
 * Sends a code to the new address, which replaces that of another address. The response is the same if the
 * address is taken.
 */
export const changeEmail = <K extends Kind>(
  client: PlatformClient<K>,
  body: EmailChange,
  options?: CallSignal,
): Promise<EmailChangeRequested> => send(client, 'post', 'email/change', { ...options, body });

/** The change that waits for its code, on any device; null without one. */
export const findPendingEmailChange = async <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<EmailChangeRequested | null> => {
  const { pending }: EmailChangePending = await send(client, 'get', 'email/change', options);
  return pending;
};

/** Encodes the bytes of the id in base64url. */
const toUserHandle = (userId: string): string =>
  btoa(userId.replaceAll('-', '').replace(/../g, (hex) => String.fromCharCode(Number.parseInt(hex, 16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Ends the user's other sessions. The new address is stored in all tabs; browsers with the Signal API show it
 * with passkeys.
 */
export const confirmEmailChange = async <K extends Kind>(
  client: PlatformClient<K>,
  code: string,
  options?: CallSignal,
): Promise<UserOf<K>> => {
  const { user }: { user: UserOf<K> } = await send(client, 'post', 'email/change/check', {
    ...options,
    body: { code },
  });
  await signalPasskeys('signalCurrentUserDetails', async () => {
    const { rpId }: { rpId: string } = await send(client, 'post', 'second-factor/options', options);
    return { rpId, userId: toUserHandle(user.id), name: user.email, displayName: user.email };
  });
  return user;
};

/** Omitted fields are not changed. */
export const changeProfile = async <K extends Kind>(
  client: ProfileClient<K>,
  body: ProfileChange,
  options?: CallSignal,
): Promise<Profile> => {
  const { profile }: { profile: Profile } = await send(client, 'patch', 'profile', { ...options, body });
  return profile;
};

/** Returns all data that the platform stores about the user, with all audit records. */
export const exportAccount = async <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<AccountExport> => {
  const exported: AccountExport = await send(client, 'get', 'account/export', options);
  const auditRecords = [...exported.auditRecords];
  let auditCursor = exported.nextAuditCursor;
  while (auditCursor) {
    const params = { query: { auditCursor } };
    const next: AuditRecordsExport = await send(client, 'get', 'account/export', { ...options, params });
    auditRecords.push(...next.auditRecords);
    auditCursor = next.nextAuditCursor;
  }
  return { ...exported, auditRecords, nextAuditCursor: null };
};

/** Cannot be undone. Ends the session in all tabs, as `signOut` does. */
export const deleteAccount = async <K extends Kind>(
  client: PlatformClient<K>,
  body: FactorConfirmation,
  options?: CallSignal,
): Promise<void> => {
  const { auth, closeSession } = getSession(client);
  await abortable({ ...options }, () => client.ready);
  if (!client.isSignedIn()) throw new PlatformError('TOKEN_INVALID', 'Not signed in', { status: 401 });
  await closeSession(
    (request, signal) => request('post', `${auth}/account/delete`, { signal, body }),
    options,
  );
};

import { ALGORITHMS, isCredentialKey } from './credential-key.ts';
import {
  CEREMONY_SECONDS,
  type CredentialProblem,
  credentialRejected,
  type NewCredential,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCredential,
  toUserHandle,
  type UserVerification,
  type VerifiedAssertion,
} from './passkey.ts';

type Settings = {
  rpId: string;
  isAllowedOrigin: (origin: string) => boolean;
  /** The platform's name in the dialogs of browsers. */
  rpName: string;
};

type AssertionCheck = {
  assertion: PasskeyAssertion;
  challenge: string;
  passkey: { credentialId: string; publicKey: Buffer };
  userVerification: UserVerification;
};

/** Loaded on first use: most of its 10 MB verify certificates, and an installation may have no passkeys. */
const loadLibrary = async () => {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, ...helpers };
};
type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** 1 to 1,023 bytes (WebAuthn 3, 7.1), in base64url. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

/** A stored id that no browser would accept is left out, so that it does not break the options. */
const toDescriptors = (credentials: readonly PasskeyCredential[]) =>
  credentials
    .filter(({ credentialId }) => CREDENTIAL_ID.test(credentialId))
    .map(({ credentialId, transports }) => ({ id: credentialId, transports }));

/**
 * The library throws for each invalid field of a response, without an error type that distinguishes this from
 * other errors.
 */
const undefinedIfInvalid = async <Result>(verify: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
};

/**
 * The options request no attestation, so browsers send no certificates. Otherwise the library would download
 * the revocation lists whose addresses are in the certificates.
 */
const hasCertificates = (
  { decodeAttestationObject, isoBase64URL }: Library,
  { response }: PasskeyAttestation,
): boolean => {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined);
};

/**
 * Checks two things that the library does not: the authenticator data has the id of the credential, and the key
 * fits its algorithm. @throws Error if the data cannot be decoded
 */
const findProblem = (
  { decodeAttestationObject, parseAuthenticatorData, decodeCredentialPublicKey, isoBase64URL }: Library,
  { id, response }: PasskeyAttestation,
): CredentialProblem | undefined => {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const { credentialID, credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'));
  if (!credentialID || !credentialPublicKey) throw new Error('There is no credential');
  if (!CREDENTIAL_ID.test(id) || isoBase64URL.fromBuffer(credentialID) !== id) return 'credential-id';
  const key: unknown = decodeCredentialPublicKey(credentialPublicKey);
  return isCredentialKey(key) ? undefined : 'credential-key';
};

/**
 * The ceremonies of WebAuthn Level 3 (7.1 and 7.2), without the storage of challenges and signature counters.
 */
export const createWebauthn = ({ rpId, rpName, isAllowedOrigin }: Settings) => {
  const common = { rpID: rpId, timeout: CEREMONY_SECONDS * 1_000 };

  /** @throws Error also for a frame with another origin, because no frontend uses passkeys there */
  const readAllowedOrigin = ({ decodeClientDataJSON }: Library, clientDataJSON: string): string => {
    const { origin, crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
    if (crossOrigin || topOrigin !== undefined) throw new Error('The frame is cross-origin');
    if (!isAllowedOrigin(origin)) throw new Error('The origin is not allowed');
    return origin;
  };

  const verifyRegistration = async (response: PasskeyAttestation, challenge: string) => {
    const library = await loadLibrary();
    if (hasCertificates(library, response)) throw new Error('The attestation has certificates');
    const expectedOrigin = readAllowedOrigin(library, response.response.clientDataJSON);
    const problem = findProblem(library, response);
    if (problem) return { problem };
    return await library.verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: ALGORITHMS,
      // Without user verification, the passkey is a second factor and cannot replace the password.
      requireUserVerification: false,
    });
  };

  return {
    createCreationOptions: async (
      { userId, email }: { userId: string; email: string },
      existing: readonly PasskeyCredential[],
    ) => {
      const { generateRegistrationOptions } = await loadLibrary();
      return await generateRegistrationOptions({
        ...common,
        rpName,
        userID: new Uint8Array(Buffer.from(toUserHandle(userId), 'base64url')),
        // Authenticators show these in their list of passkeys.
        userName: email,
        userDisplayName: email,
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        excludeCredentials: toDescriptors(existing),
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },

    /** If there are no credentials, the authenticator offers all of its passkeys. */
    createRequestOptions: async (
      userVerification: UserVerification,
      credentials: readonly PasskeyCredential[],
    ) => {
      const { generateAuthenticationOptions } = await loadLibrary();
      const allowCredentials = toDescriptors(credentials);
      return await generateAuthenticationOptions({
        ...common,
        userVerification,
        ...(allowCredentials.length > 0 && { allowCredentials }),
      });
    },

    /** The challenge that a response claims to be for; undefined if the client data is invalid. */
    findChallenge: ({ response }: PasskeyAttestation | PasskeyAssertion): Promise<string | undefined> =>
      undefinedIfInvalid(async () => {
        const { decodeClientDataJSON } = await loadLibrary();
        const { challenge }: { challenge: unknown } = decodeClientDataJSON(response.clientDataJSON);
        return typeof challenge === 'string' ? challenge : undefined;
      }),

    /**
     * Undefined if the attestation is invalid.
     * @throws AppError 400 VALIDATION_FAILED for an id or a key that WebAuthn does not allow
     */
    verifyAttestation: async (
      attestation: PasskeyAttestation,
      challenge: string,
    ): Promise<NewCredential | undefined> => {
      const verification = await undefinedIfInvalid(() => verifyRegistration(attestation, challenge));
      if (verification && 'problem' in verification) throw credentialRejected(verification.problem);
      if (!verification?.verified) return undefined;
      const { credential, userVerified: verifiesUser } = verification.registrationInfo;
      const { id: credentialId, publicKey, counter, transports = [] } = credential;
      return { credentialId, publicKey: Buffer.from(publicKey), counter, transports, verifiesUser };
    },

    /**
     * The authenticator's signature counter, which is not compared yet, and whether it has verified the user;
     * undefined if the assertion is invalid.
     */
    verifyAssertion: async ({
      assertion,
      challenge,
      passkey: { credentialId, publicKey },
      userVerification,
    }: AssertionCheck): Promise<Pick<VerifiedAssertion, 'counter' | 'verifiesUser'> | undefined> => {
      const verification = await undefinedIfInvalid(async () => {
        const library = await loadLibrary();
        return await library.verifyAuthenticationResponse({
          response: assertion,
          expectedChallenge: challenge,
          expectedOrigin: readAllowedOrigin(library, assertion.response.clientDataJSON),
          expectedRPID: rpId,
          // The statement that stores the counter compares it.
          credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
          requireUserVerification: userVerification === 'required',
        });
      });
      if (!verification?.verified) return undefined;
      const { newCounter: counter, userVerified: verifiesUser } = verification.authenticationInfo;
      return { counter, verifiesUser };
    },
  };
};

export type Webauthn = ReturnType<typeof createWebauthn>;
export type RequestOptions = Awaited<ReturnType<Webauthn['createRequestOptions']>>;

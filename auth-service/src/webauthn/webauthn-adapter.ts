import {
  CEREMONY_SECONDS,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCredential,
  toUserHandle,
  type UserVerification,
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

/** COSE algorithms: Ed25519, ES256 and RS256. Every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];

const toDescriptors = (credentials: readonly PasskeyCredential[]) =>
  credentials.map(({ credentialId, transports }) => ({ id: credentialId, transports }));

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
    return await library.verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: readAllowedOrigin(library, response.response.clientDataJSON),
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
      return await generateAuthenticationOptions({
        ...common,
        userVerification,
        ...(credentials.length > 0 && { allowCredentials: toDescriptors(credentials) }),
      });
    },

    /** The challenge that a response claims to be for; undefined if the client data is invalid. */
    findChallenge: ({ response }: PasskeyAttestation | PasskeyAssertion): Promise<string | undefined> =>
      undefinedIfInvalid(async () => {
        const { decodeClientDataJSON } = await loadLibrary();
        const { challenge }: { challenge: unknown } = decodeClientDataJSON(response.clientDataJSON);
        return typeof challenge === 'string' ? challenge : undefined;
      }),

    /** Undefined if the attestation is invalid. */
    verifyAttestation: async (attestation: PasskeyAttestation, challenge: string) => {
      const verification = await undefinedIfInvalid(() => verifyRegistration(attestation, challenge));
      if (!verification?.verified) return undefined;
      const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential;
      return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
    },

    /**
     * The authenticator's signature counter, which is not compared yet; undefined if the assertion is
     * invalid.
     */
    verifyAssertion: async ({
      assertion,
      challenge,
      passkey: { credentialId, publicKey },
      userVerification,
    }: AssertionCheck): Promise<number | undefined> => {
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
      return verification?.verified ? verification.authenticationInfo.newCounter : undefined;
    },
  };
};

export type Webauthn = ReturnType<typeof createWebauthn>;
export type RequestOptions = Awaited<ReturnType<Webauthn['createRequestOptions']>>;

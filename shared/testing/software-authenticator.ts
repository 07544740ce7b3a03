import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { cborBytes, cborMap, cborText } from './cbor.ts';

/**
 * The fields of PublicKeyCredentialCreationOptionsJSON and …RequestOptionsJSON (WebAuthn 3, 5.1) that this
 * authenticator reads.
 */
type CreationOptions = {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
  pubKeyCredParams: { alg: number }[];
  excludeCredentials?: { id: string }[];
};
type RequestOptions = { challenge: string; rpId?: string; allowCredentials?: { id: string }[] };

type Credential = { id: string; rpId: string; userHandle: string; privateKey: KeyObject; counter: number };

/** The fields that a test changes in a ceremony. By default the authenticator follows the specification. */
type Overrides = {
  origin?: string;
  /** A field of the authenticator data. */
  rpId?: string;
  challenge?: string;
  /** A field of clientDataJSON: `webauthn.create` or `webauthn.get`. */
  type?: string;
  crossOrigin?: boolean;
  userPresent?: boolean;
  userVerified?: boolean;
  counter?: number;
};
type CreateOverrides = Overrides & {
  credentialId?: string;
  /** The id in the authenticator data, which otherwise is that of the response. */
  attestedId?: Buffer;
  /** A COSE_Key in place of that of the credential. */
  coseKey?: Buffer;
};
type GetOverrides = Overrides & {
  /** Signs with this credential even if the options do not allow it. */
  credentialId?: string;
  /** With null, the response has no user handle. */
  userHandle?: string | null;
  tamperSignature?: boolean;
};

const ES256 = -7;
const FLAGS = { userPresent: 0x01, userVerified: 0x04, attestedCredentialData: 0x40 };

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const uint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** Encodes an ES256 public key as a COSE_Key (RFC 9053, 7.1.1). */
const encodePublicKey = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cborMap([
    [1, 2],
    [3, ES256],
    [-1, 1],
    [-2, cborBytes(Buffer.from(x, 'base64url'))],
    [-3, cborBytes(Buffer.from(y, 'base64url'))],
  ]);
};

const encodeClientData = (
  type: string,
  challenge: string,
  origin: string,
  { crossOrigin = false, ...overrides }: Overrides,
): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? origin,
      crossOrigin,
    }),
  );

/** Encodes authenticator data (WebAuthn 3, 6.1). `attested` is the data of a new credential. */
const encodeAuthenticatorData = (
  { rpId, counter }: { rpId: string; counter: number },
  { userPresent = true, userVerified = true, ...overrides }: Overrides,
  attested = Buffer.alloc(0),
): Buffer => {
  const flags =
    (userPresent ? FLAGS.userPresent : 0) |
    (userVerified ? FLAGS.userVerified : 0) |
    (attested.length > 0 ? FLAGS.attestedCredentialData : 0);
  return Buffer.concat([
    sha256(overrides.rpId ?? rpId),
    Buffer.of(flags),
    uint(overrides.counter ?? counter, 4),
    attested,
  ]);
};

const encodeAttestation = (authenticatorData: Buffer): Buffer =>
  cborMap([
    [cborText('fmt'), cborText('none')],
    [cborText('attStmt'), cborMap([])],
    [cborText('authData'), cborBytes(authenticatorData)],
  ]);

const toPublicKeyCredential = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  authenticatorAttachment: 'platform' as const,
  clientExtensionResults: {},
});

/** Changes the last byte of `s`, so that the signature stays well-formed. */
const tamper = (signature: Buffer): Buffer => {
  const tampered = Buffer.from(signature);
  tampered[tampered.length - 1] = (tampered.at(-1) ?? 0) ^ 1;
  return tampered;
};

/** An origin that development allows. */
const PASSKEY_ORIGIN = 'http://localhost:5173';

/**
 * A WebAuthn authenticator with the browser in front of it. It creates discoverable ES256 credentials with
 * the attestation `none`. With `hasCounter: false` the counter stays 0, as with synchronised passkeys.
 */
export const createSoftwareAuthenticator = (origin = PASSKEY_ORIGIN, { hasCounter = true } = {}) => {
  const credentials: Credential[] = [];

  const choose = ({ rpId, allowCredentials = [] }: RequestOptions, credentialId?: string): Credential => {
    const isChosen = (credential: Credential): boolean => {
      if (credentialId !== undefined) return credential.id === credentialId;
      const isAllowed =
        allowCredentials.length === 0 || allowCredentials.some(({ id }) => id === credential.id);
      return credential.rpId === rpId && isAllowed;
    };
    // The newest comes first, as in the passkey list of a browser.
    const credential = credentials.findLast(isChosen);
    if (!credential) throw new Error('The authenticator has no credential for these options');
    return credential;
  };

  return {
    /** Simulates navigator.credentials.create. Returns a RegistrationResponseJSON. */
    create: (options: CreationOptions, overrides: CreateOverrides = {}) => {
      if (!options.pubKeyCredParams.some(({ alg }) => alg === ES256)) throw new Error('ES256 is not offered');
      if (
        options.excludeCredentials?.some(({ id }) => credentials.some((credential) => credential.id === id))
      )
        throw new Error('The authenticator already has a credential of this account');
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const rawId = overrides.credentialId
        ? Buffer.from(overrides.credentialId, 'base64url')
        : randomBytes(32);
      const id = rawId.toString('base64url');
      const rpId = options.rp.id ?? new URL(origin).hostname;
      const credential = { id, rpId, userHandle: options.user.id, privateKey, counter: 0 };
      credentials.push(credential);
      const { attestedId = rawId, coseKey = encodePublicKey(publicKey) } = overrides;
      const attested = Buffer.concat([Buffer.alloc(16), uint(attestedId.length, 2), attestedId, coseKey]);
      const authenticatorData = encodeAuthenticatorData(credential, overrides, attested);
      const clientData = encodeClientData('webauthn.create', options.challenge, origin, overrides);
      return {
        ...toPublicKeyCredential(id),
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject: encodeAttestation(authenticatorData).toString('base64url'),
          transports: ['internal'],
        },
      };
    },

    /** The newest credential, as WebAuthn.addCredential of the DevTools protocol takes it. */
    exportCredential: () => {
      const credential = credentials.at(-1);
      if (!credential) throw new Error('The authenticator has no credential');
      const toBase64 = (text: string): string => Buffer.from(text, 'base64url').toString('base64');
      return {
        credentialId: toBase64(credential.id),
        isResidentCredential: true,
        rpId: credential.rpId,
        privateKey: credential.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
        userHandle: toBase64(credential.userHandle),
        signCount: credential.counter,
      };
    },

    /** Simulates navigator.credentials.get. Returns an AuthenticationResponseJSON. */
    get: (
      options: RequestOptions,
      { credentialId, userHandle, tamperSignature, ...overrides }: GetOverrides = {},
    ) => {
      const credential = choose(options, credentialId);
      if (hasCounter) credential.counter = overrides.counter ?? credential.counter + 1;
      const authenticatorData = encodeAuthenticatorData(credential, overrides);
      const clientData = encodeClientData('webauthn.get', options.challenge, origin, overrides);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientData)]),
        credential.privateKey,
      );
      const handle = userHandle === undefined ? credential.userHandle : userHandle;
      return {
        ...toPublicKeyCredential(credential.id),
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: (tamperSignature ? tamper(signature) : signature).toString('base64url'),
          ...(handle !== null && { userHandle: handle }),
        },
      };
    },
  };
};

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

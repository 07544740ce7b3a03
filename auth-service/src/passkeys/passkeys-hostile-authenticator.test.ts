import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { CONFIRMATION } from '@platform/shared/testing/builders';
import { cborBytes, cborMap, cborText } from '@platform/shared/testing/cbor';
import { expectError } from '@platform/shared/testing/responses';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

type Overrides = NonNullable<Parameters<SoftwareAuthenticator['create']>[1]>;
const fromBase64url = (text = ''): Buffer => Buffer.from(text, 'base64url');
const toId = (bytes: Buffer) => ({ credentialId: bytes.toString('base64url') });

const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
});
const es256 = ({ kty = 2, alg = -7, crv = 1 } = {}, coordinates = [x, y].map(fromBase64url)) =>
  cborMap([
    [1, kty],
    [3, alg],
    [-1, crv],
    ...coordinates.map((bytes, index): [number, Buffer] => [-2 - index, cborBytes(bytes)]),
  ]);
const ed25519 = (point: Buffer, crv = 6) =>
  cborMap([
    [1, 1],
    [3, -8],
    [-1, crv],
    [-2, cborBytes(point)],
  ]);
/** No private key is needed, so the modulus is any odd number of this length. */
const rsa = (bits: number, exponent = Buffer.of(1, 0, 1)) => {
  const modulus = randomBytes(bits / 8);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[modulus.length - 1] = (modulus.at(-1) ?? 0) | 1;
  return cborMap([
    [1, 3],
    [3, -257],
    [-1, cborBytes(modulus)],
    [-2, cborBytes(exponent)],
  ]);
};
const edPoint = fromBase64url(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);
/** No x belongs to this y on edwards25519. */
const OFF_EDWARDS = Buffer.from(`02${'00'.repeat(31)}`, 'hex');

const ACCEPTED: [string, () => Overrides][] = [
  ['an id of one byte', () => toId(randomBytes(1))],
  ['an id of 1,023 bytes', () => toId(randomBytes(1_023))],
  ['a key of Ed25519', () => ({ coseKey: ed25519(edPoint) })],
  ['a key of RSA with 2,048 bits', () => ({ coseKey: rsa(2_048) })],
  ['a key of RSA with 4,096 bits', () => ({ coseKey: rsa(4_096) })],
];

const REJECTED: ['credential-id' | 'credential-key', string, () => Overrides][] = [
  ['credential-id', 'no byte in the data', () => ({ attestedId: Buffer.alloc(0) })],
  ['credential-id', 'another id in the data', () => ({ attestedId: randomBytes(32) })],
  ['credential-id', '1,024 bytes in the data', () => ({ attestedId: randomBytes(1_024) })],
  ['credential-id', '2,100 bytes in the data', () => ({ attestedId: randomBytes(2_100) })],
  ['credential-key', 'an empty map', () => ({ coseKey: cborMap([]) })],
  ['credential-key', 'an algorithm that is not offered', () => ({ coseKey: es256({ alg: -35 }) })],
  ['credential-key', 'an algorithm as text', () => ({ coseKey: cborMap([[3, cborText('ES256')]]) })],
  ['credential-key', 'the key type of another algorithm', () => ({ coseKey: es256({ kty: 1 }) })],
  ['credential-key', 'a key type of RSA with a point', () => ({ coseKey: es256({ alg: -257 }) })],
  ['credential-key', 'another curve', () => ({ coseKey: es256({ crv: 2 }) })],
  ['credential-key', 'no coordinates', () => ({ coseKey: es256({}, []) })],
  ['credential-key', 'one coordinate', () => ({ coseKey: es256({}, [fromBase64url(x)]) })],
  ['credential-key', 'short coordinates', () => ({ coseKey: es256({}, [randomBytes(31), randomBytes(32)]) })],
  [
    'credential-key',
    'a point off P-256',
    () => ({ coseKey: es256({}, [fromBase64url(x), randomBytes(32)]) }),
  ],
  [
    'credential-key',
    'the point at zero',
    () => ({ coseKey: es256({}, [Buffer.alloc(32), Buffer.alloc(32)]) }),
  ],
  ['credential-key', 'a point off edwards25519', () => ({ coseKey: ed25519(OFF_EDWARDS) })],
  ['credential-key', 'a y above the prime', () => ({ coseKey: ed25519(Buffer.alloc(32, 0xff)) })],
  ['credential-key', 'a point of X25519', () => ({ coseKey: ed25519(edPoint, 4) })],
  ['credential-key', 'a short point', () => ({ coseKey: ed25519(edPoint.subarray(1)) })],
  ['credential-key', 'RSA with 512 bits', () => ({ coseKey: rsa(512) })],
  ['credential-key', 'RSA with 2,040 bits', () => ({ coseKey: rsa(2_040) })],
  ['credential-key', 'RSA with 4,104 bits', () => ({ coseKey: rsa(4_104) })],
  ['credential-key', 'RSA with the exponent 1', () => ({ coseKey: rsa(2_048, Buffer.of(1)) })],
];

describe('passkey of a hostile authenticator', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const open = async () => (await client().openVerifiedAccount()).device;
  const create = async (device: { accessToken: string }, overrides: Overrides) => {
    const { status, body, text } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    expect(status, text).to.equal(200);
    const response = createSoftwareAuthenticator().create(body, overrides);
    return await client().passkeyCreate({ ...device, body: { response, name: 'Key' } });
  };

  for (const [name, overrides] of ACCEPTED)
    it(`is accepted with ${name}, and the options name it`, async () => {
      const device = await open();
      const { status, text } = await create(device, overrides());
      expect(status, text).to.equal(201);
      const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
      expect(body.excludeCredentials).to.have.lengthOf(1);
      expect((await client().secondFactorOptions(device)).status).to.equal(200);
    });

  for (const [rule, name, overrides] of REJECTED)
    it(`is rejected with ${name} (${rule})`, async () => {
      const device = await open();
      const response = await create(device, overrides());
      expectError(response, 400, 'VALIDATION_FAILED');
      expect(response.body.details).to.have.lengthOf(1);
      expect(response.body.details[0]).to.include({ rule });
      expect(await client().listPasskeys(device)).to.deep.equal([]);
    });

  for (const [length, rule] of [
    [0, 'minLength'],
    [1_024, 'maxLength'],
  ] as const)
    it(`is rejected with an id of ${length} bytes, which is also in the data`, async () => {
      const device = await open();
      const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
      const attestedId = randomBytes(length);
      const created = createSoftwareAuthenticator().create(body, { attestedId });
      const id = attestedId.toString('base64url');
      const response = { ...created, id, rawId: id };
      const rejected = await client().passkeyCreate({ ...device, body: { response, name: 'Key' } });
      expectError(rejected, 400, 'VALIDATION_FAILED', '/body/response/id', '/body/response/rawId');
      const rules = rejected.body.details.map((detail: { rule: string }) => detail.rule);
      expect(rules).to.include(rule);
    });

  it('does not break the options, whatever id is stored', async () => {
    const { account, device } = await client().openAccountWithPasskey();
    for (const id of ['', 'x'.repeat(1_365), '<>'])
      await service().records.query(
        `insert into passkeys (user_id, credential_id, public_key, counter, name) values ($1, $2, '\\x00', 0, 'Old')`,
        [account.userId, id],
      );
    const { status, body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    expect(status).to.equal(200);
    expect(body.excludeCredentials).to.have.lengthOf(1);
    expect((await client().secondFactorOptions(device)).body.allowCredentials).to.have.lengthOf(1);
  });
});

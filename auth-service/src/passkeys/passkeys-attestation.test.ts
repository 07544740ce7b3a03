import { ALL_KINDS } from '@platform/shared/testing/auth-client';
import { CONFIRMATION } from '@platform/shared/testing/builders';
import { cborBytes, cborMap, cborText } from '@platform/shared/testing/cbor';
import { expectError } from '@platform/shared/testing/responses';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid } from '../../testing/second-factor.ts';

type Attestation = ReturnType<SoftwareAuthenticator['create']>;

const FORGED: [string, Parameters<SoftwareAuthenticator['create']>[1]][] = [
  ['of another origin', { origin: 'https://localhost.example.com' }],
  ['of an origin that only begins like an allowed one', { origin: 'http://localhost:5173.example.com' }],
  ['of another RP id', { rpId: 'example.com' }],
  ['in a frame of another origin', { crossOrigin: true }],
  ['without a present user', { userPresent: false }],
  ['with the type of an assertion', { type: 'webauthn.get' }],
  ['for a challenge that was never issued', { challenge: 'A'.repeat(43) }],
  ['for a challenge of another length', { challenge: 'AAAA' }],
];

const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');
/** Invalid attestation objects in an otherwise valid response. */
const GARBAGE: [string, string][] = [
  ['one byte', base64url(Buffer.of(0))],
  ['text', base64url('attestation')],
  ['a list that is deeper than the stack', base64url(Buffer.alloc(45_000, 0x81))],
  ['a text that is longer than the data', base64url(Buffer.of(0x7b, 0, 0, 0, 1, 0, 0, 0, 0))],
  [
    'short authenticator data',
    base64url(
      cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(Buffer.alloc(36))],
      ]),
    ),
  ],
];

/** Client data that is not an object of WebAuthn. */
const CLIENT_DATA = ['null', '{', '{"challenge":7}', '\xff\xfe'];

describe('attestation of a passkey', () => {
  const service = useAuthService();

  const client = () => service().as('customer');
  const authenticator = () => createSoftwareAuthenticator();
  const openCeremony = async () => {
    const opened = await client().openVerifiedAccount();
    const { status, body, text } = await client().passkeyOptions({ ...opened.device, body: CONFIRMATION });
    expect(status, text).to.equal(200);
    return { ...opened, options: body };
  };

  for (const [name, overrides] of FORGED)
    it(`fails ${name}`, async () => {
      const { account, device, options } = await openCeremony();
      const response = await client().passkeyCreate({
        ...device,
        body: { response: authenticator().create(options, overrides), name: 'My phone' },
      });
      expectFactorInvalid(response);
      expect(await client().listPasskeys(device)).to.deep.equal([]);
      expect(await service().records.auditOf(account.userId, 'PASSKEY_ADDED')).to.deep.equal([]);
    });

  it('comes from an authenticator that does not verify its user, too', async () => {
    const { device, options } = await openCeremony();
    const attestation = authenticator().create(options, { userVerified: false });
    expect(
      (await client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } })).status,
    ).to.equal(201);
  });

  it('works once', async () => {
    const { device, options } = await openCeremony();
    const attestation = authenticator().create(options);
    const { body } = await client().passkeyCreate({
      ...device,
      body: { response: attestation, name: 'My phone' },
    });
    expect(
      (await client().passkeyDelete({ ...device, passkeyId: body.id, body: CONFIRMATION })).status,
    ).to.equal(204);
    expectFactorInvalid(
      await client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } }),
    );
  });

  it('uses up its challenge when it is wrong', async () => {
    const { device, options } = await openCeremony();
    const wrong = authenticator().create(options, { rpId: 'example.com' });
    expectFactorInvalid(
      await client().passkeyCreate({ ...device, body: { response: wrong, name: 'My phone' } }),
    );
    const right = authenticator().create(options);
    expectFactorInvalid(
      await client().passkeyCreate({ ...device, body: { response: right, name: 'My phone' } }),
    );
  });

  describe('that no browser creates', () => {
    const [kind] = ALL_KINDS;
    if (!kind) throw new Error('There are kinds');
    const client = () => service().as(kind);
    const open = async () => {
      const { device } = await client().openVerifiedAccount();
      const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
      return { device, attestation: createSoftwareAuthenticator().create(body) };
    };
    const withResponse = (attestation: Attestation, response: object) => ({
      ...attestation,
      response: { ...attestation.response, ...response },
    });

    for (const [name, attestationObject] of GARBAGE)
      it(`fails with ${name} as attestation object`, async () => {
        const { device, attestation } = await open();
        const response = await client().passkeyCreate({
          ...device,
          body: { response: withResponse(attestation, { attestationObject }), name: 'My phone' },
        });
        expectFactorInvalid(response);
      });

    for (const clientData of CLIENT_DATA)
      it(`fails with the client data ${JSON.stringify(clientData)}`, async () => {
        const { device, attestation } = await open();
        const changed = withResponse(attestation, {
          clientDataJSON: base64url(Buffer.from(clientData, 'latin1')),
        });
        expectFactorInvalid(
          await client().passkeyCreate({ ...device, body: { response: changed, name: 'My phone' } }),
        );
      });

    it('fails with certificates, whose revocation lists would be downloaded', async () => {
      const { device, attestation } = await open();
      for (const format of ['packed', 'fido-u2f', 'android-key', 'apple', 'tpm', 'android-safetynet']) {
        const statement = cborMap([
          [cborText('alg'), -7],
          [cborText('sig'), cborBytes(Buffer.alloc(64))],
          [cborText('x5c'), cborMap([])],
        ]);
        const attestationObject = cborMap([
          [cborText('fmt'), cborText(format)],
          [cborText('attStmt'), statement],
          [cborText('authData'), cborBytes(Buffer.alloc(37))],
        ]);
        const changed = withResponse(attestation, { attestationObject: base64url(attestationObject) });
        expectFactorInvalid(
          await client().passkeyCreate({ ...device, body: { response: changed, name: 'My phone' } }),
        );
      }
    });

    it('fails as invalid or too large without an internal error', async () => {
      const { device, attestation } = await open();
      const large = withResponse(attestation, { attestationObject: 'A'.repeat(70_000) });
      expectError(
        await client().passkeyCreate({ ...device, body: { response: large, name: 'My phone' } }),
        400,
        'VALIDATION_FAILED',
        '/body/response/response/attestationObject',
      );
      const larger = withResponse(attestation, { attestationObject: 'A'.repeat(110_000) });
      expectError(
        await client().passkeyCreate({ ...device, body: { response: larger, name: 'My phone' } }),
        413,
        'BODY_TOO_LARGE',
      );
      for (const response of [
        {},
        { ...attestation, response: {} },
        { ...attestation, response: 'text' },
        { ...attestation, type: 'password' },
        { ...attestation, id: '<>', rawId: '<>' },
      ])
        expectError(
          await client().passkeyCreate({ ...device, body: { response, name: 'My phone' } }),
          400,
          'VALIDATION_FAILED',
        );
      const mismatch = { ...attestation, rawId: 'AAAA' };
      expectFactorInvalid(
        await client().passkeyCreate({ ...device, body: { response: mismatch, name: 'My phone' } }),
      );
    });
  });
});

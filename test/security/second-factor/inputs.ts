import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import {
  countStatuses,
  createPasskeyUser,
  createVerifiedUser,
  type Fixture,
  openChallenge,
  type PasskeyUser,
} from '../fixture.ts';

const HTML = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&`;
const MAX_MILLISECONDS = 2_500;

type Json = Record<string, unknown>;

/** Replaces a field of the credential, or of its response. */
const withField = (credential: Json, path: string, value: unknown): Json => {
  const [first = '', second] = path.split('.');
  if (second === undefined) return { ...credential, [first]: value };
  return { ...credential, [first]: { ...(credential[first] as Json), [second]: value } };
};

const garbage = (length: number): string => Buffer.alloc(length, 0x9f).toString('base64url');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const VALUES: readonly (readonly [name: string, value: unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['a number', 42],
  ['an array', ['a']],
  ['an object', { length: 1 }],
  ['empty', ''],
  ['not base64url', '+/=<>'],
  ['garbage', garbage(64)],
  ['5,000 bytes of garbage', garbage(5_000)],
  ['90,000 bytes', garbage(67_000)],
  ['nested CBOR arrays', Buffer.alloc(2_000, 0x81).toString('base64url')],
  ['a CBOR map of 2^32 entries', Buffer.from('bb00000000ffffffff', 'hex').toString('base64url')],
  ['client data with a prototype', encode({ __proto__: { type: 'webauthn.get' }, constructor: {} })],
  ['client data of null', encode(null)],
  ['client data of deep arrays', Buffer.from('['.repeat(3_000)).toString('base64url')],
];

const ASSERTION_FIELDS = [
  ...['id', 'rawId', 'type', 'response', 'clientExtensionResults', 'response.clientDataJSON'],
  ...['response.authenticatorData', 'response.signature', 'response.userHandle'],
];
const ATTESTATION_FIELDS = [
  ...['id', 'rawId', 'type', 'response', 'response.clientDataJSON', 'response.attestationObject'],
  ...['response.transports'],
];

type Use = (credential: Json) => Promise<HttpResponse>;

const testFields = async (
  fixture: Fixture,
  name: string,
  fields: readonly string[],
  create: () => Promise<{ credential: Json; use: Use }>,
): Promise<void> => {
  for (const field of fields) {
    const responses: HttpResponse[] = [];
    for (const [, value] of VALUES) {
      const { credential, use } = await create();
      responses.push(await use(withField(credential, field, value)));
    }
    const slowest = Math.max(...responses.map(({ milliseconds }) => milliseconds));
    // A user handle and transports are optional; undeclared fields of an object are dropped.
    const isRefused = responses.every(
      ({ status }) =>
        [400, 401, 413].includes(status) || (status < 300 && /userHandle|transports|Results/.test(field)),
    );
    fixture.check(
      isRefused && slowest < MAX_MILLISECONDS,
      `${name}: ${VALUES.length} values of ${field}`,
      `${countStatuses(responses)}; slowest ${slowest.toFixed(0)} ms`,
    );
  }
};

const toAssertion = async ({ factors, passkey }: PasskeyUser) => {
  const fingerprint = uniqueFingerprint();
  const credential: Json = passkey.authenticator.get(await factors.getPasskeyOptions(fingerprint));
  const use: Use = (response) => factors.signInWithPasskey(fingerprint, response);
  return { credential, use };
};

const testPollution = async (fixture: Fixture, user: PasskeyUser): Promise<void> => {
  const { factors, device } = user;
  const post = (path: string, body: string, headers = {}) =>
    fixture.send(CUSTOMER.path + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Fingerprint': 'device', ...headers },
      body,
    });
  const { challenge, fingerprint } = await openChallenge(user);
  const own = { Authorization: `Bearer ${device.accessToken}` };
  const bodies: [name: string, response: Promise<HttpResponse>][] = [
    [
      'sign-in/passkey',
      post('/sign-in/passkey', '{"__proto__":{"response":{}},"constructor":{"prototype":{}}}'),
    ],
    [
      'sign-in/second-factor',
      post(
        '/sign-in/second-factor',
        `{"challenge":"${challenge}","__proto__":{"totpCode":"000000"},"totpCode":{"$ne":""}}`,
        { 'X-Fingerprint': fingerprint },
      ),
    ],
    [
      'passkeys',
      post('/passkeys', '{"__proto__":{"name":"x"},"response":{"__proto__":null},"name":"x"}', own),
    ],
    [
      'account/delete',
      post('/account/delete', `{"currentPassword":"x","__proto__":{"currentPassword":"${PASSWORD}"}}`, own),
    ],
    [
      'sign-in/passkey with 3,000 levels',
      post('/sign-in/passkey', `${'{"response":'.repeat(3_000)}1${'}'.repeat(3_000)}`),
    ],
  ];
  for (const [name, pending] of bodies) {
    const response = await pending;
    fixture.check([400, 401].includes(response.status), `prototype keys at ${name}`, response);
  }
  const { status } = await factors.auth.me(device);
  fixture.check(status === 200, 'the user afterwards', String(status));
};

const testNames = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: names stay text');
  const user = await createVerifiedUser(fixture, CUSTOMER);
  const factors = fixture.client(CUSTOMER);
  const added = await factors.addPasskey(user.device, { name: HTML });
  const listed = await factors.as(user.device, 'GET', '/second-factor');
  const { name } = listed.body.passkeys[0];
  fixture.check(
    name === HTML &&
      /^application\/json/.test(String(listed.headers['content-type'])) &&
      listed.headers['x-content-type-options'] === 'nosniff',
    'HTML as a name',
    `${formatStatus(listed)} as ${listed.headers['content-type']}, ${listed.headers['x-content-type-options']}`,
  );
  const mails = await waitFor('the notice', async () => {
    const found = (await (await fetch(`${fixture.stack.inboxUrl}/api/email`)).json()) as {
      to: string[];
      subject: string;
      html: string;
    }[];
    const own = found.filter(({ to }) => to.includes(user.email));
    return own.length > 0 && own;
  });
  const hasMarkup = mails.some(({ html, subject }) => /<(script|img)[\s>]|alert\(/i.test(html + subject));
  fixture.check(!hasMarkup, 'the mail about it', hasMarkup ? 'with its markup' : 'without its markup');
  for (const invalid of ['', 'x'.repeat(65), 'a\0b', { length: 1 }, null]) {
    const renamed = await factors.as(user.device, 'PATCH', `/passkeys/${added.id}`, { name: invalid });
    fixture.check(renamed.status === 400, `the name ${JSON.stringify(invalid).slice(0, 20)}`, renamed);
  }
};

export const testFactorInputs = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: garbage, oversized values and prototype keys in WebAuthn JSON');
  const user = await createPasskeyUser(fixture, CUSTOMER);
  await testFields(fixture, 'an assertion', ASSERTION_FIELDS, () => toAssertion(user));
  const { factors, device, passkey } = user;
  const options = { ...(await factors.getCreationOptions(device)), excludeCredentials: [] };
  await testFields(fixture, 'a registration', ATTESTATION_FIELDS, async () => ({
    credential: passkey.authenticator.create(options) as Json,
    use: (response) => factors.as(device, 'POST', '/passkeys', { response, name: 'Phone' }),
  }));
  await testPollution(fixture, user);
  await testNames(fixture);
};

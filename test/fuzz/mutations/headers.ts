import fc from 'fast-check';
import type { Fixture } from '../fixture.ts';
import {
  createEmptyFields,
  type Field,
  type FuzzRequest,
  type Mutation,
  mutation,
  oneOf,
  removeHeader,
  setHeader,
} from '../request.ts';

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const AUTHORIZATIONS = [
  ...['', 'Bearer', 'Bearer ', 'bearer x', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(8_000)}`, '\xff'],
  ...['Bearer ...', 'Bearer e30.e30.e30'],
];
const COOKIES = [
  ...['', ';', '=', 'a', 'CustomerRefreshToken', 'CustomerRefreshToken=', 'CustomerRefreshToken=%zz'],
  ...['CustomerRefreshToken=j:{"a":1}', 'AdminRefreshToken=j:["x"]', '__proto__=x; constructor=y'],
  ...['EmployeeRefreshToken="', 'a=b; '.repeat(500)],
];

const ODD_HEADERS: Record<string, readonly string[]> = {
  'X-Fingerprint': ['', ' ', 'x'.repeat(256), 'x'.repeat(257), 'x'.repeat(10_000), '\xe9\xff', "' or 1=1 --"],
  'X-Session-Id': [
    '',
    'x',
    'urn:uuid:5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11',
    '0'.repeat(36),
    NIL_UUID,
    '\xff',
  ],
  'X-Request-Id': ['', 'a', 'x'.repeat(128), 'x'.repeat(129), 'a b', '\xff', '{{7*7}}', '../x', '<b>'],
  Authorization: AUTHORIZATIONS,
  Cookie: COOKIES,
  Accept: ['', '*/*', 'text/html', 'application/xml;q=x', '\xff'],
  'Accept-Encoding': ['gzip', 'br;q=x', '\xff'],
  Origin: ['null', 'http://localhost:5173', 'https://evil.example', 'x', ''],
  'Access-Control-Request-Method': ['GET', '\xff'],
  'X-Forwarded-For': ['', '1.2.3.4', 'x, y', '::1', '1.2.3.4:80', "' or 1=1", '\xff'.repeat(300)],
  'X-Forwarded-Host': ['evil.example', ''],
  'X-HTTP-Method-Override': ['DELETE', 'PATCH'],
  Host: ['', 'evil.example', '[::1', 'a b', '\xff'],
  'If-None-Match': ['*', '"x"'],
  Range: ['bytes=0-', 'bytes=5-1'],
  Expect: ['100-continue', 'x'],
  Upgrade: ['websocket', 'h2c'],
  TE: ['trailers', 'gzip'],
  Connection: ['X-Fingerprint, Authorization', 'keep-alive, Upgrade', 'close', 'Content-Length'],
  // The key is computed, because a literal `__proto__` would set the prototype.
  ['__proto__']: ['x'],
  constructor: ['x'],
};

/** Latin-1, as Node.js sends it, without the control characters that Node.js rejects. */
const randomValue = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

const oddHeader = fc.oneof(
  ...Object.entries(ODD_HEADERS).map(([name, values]) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof({ weight: 4, arbitrary: oneOf(values) }, { weight: 1, arbitrary: randomValue }),
    ),
  ),
);

const addHeaders = (request: FuzzRequest, added: readonly Field[]): FuzzRequest => ({
  ...request,
  headers: [...request.headers, ...added],
});

/** Selects one of the headers by a number, independently of how many there are. */
const getHeader = ({ headers }: FuzzRequest, place: number): Field | undefined =>
  headers[place % headers.length];

export const HEADER_MUTATIONS: readonly fc.Arbitrary<Mutation>[] = [
  mutation('odd header', oddHeader, (request, [name, value]) => setHeader(request, name, value)),
  mutation('missing header', fc.nat(9), (request, place) => {
    const header = getHeader(request, place);
    return header ? removeHeader(request, header[0]) : request;
  }),
  mutation('repeated header', fc.tuple(fc.nat(9), oneOf([undefined, 'x', ''])), (request, [place, value]) => {
    const header = getHeader(request, place);
    return header ? addHeaders(request, [[header[0], value ?? header[1]]]) : request;
  }),
  mutation('many headers', fc.constantFrom(90, 120, 900), (request, count) =>
    addHeaders(request, createEmptyFields('X-H', count)),
  ),
  mutation('large header', fc.constantFrom(8_000, 15_000, 17_000, 40_000), (request, length) =>
    setHeader(request, 'X-Large', 'x'.repeat(length)),
  ),
];

/** No token, a token of another kind or role, or one that is blocked, expired or forged. */
export const otherToken = ({ tokenOwners, invalidTokens }: Fixture): fc.Arbitrary<Mutation> => {
  const token = fc.oneof(
    fc.constant(undefined),
    oneOf(invalidTokens),
    oneOf(tokenOwners).map(({ device }) => device.accessToken),
    oneOf(tokenOwners).map(({ device }) => device.refreshToken),
  );
  const cookie = fc.option(oneOf(tokenOwners).map(({ kind }) => kind.refreshCookie));
  return mutation('other token', fc.tuple(token, cookie), (request, [value, cookieName]) => {
    const anonymous = removeHeader(removeHeader(request, 'Cookie'), 'Authorization');
    if (value === undefined) return anonymous;
    return cookieName === null
      ? setHeader(anonymous, 'Authorization', `Bearer ${value}`)
      : setHeader(anonymous, 'Cookie', `${cookieName}=${value}`);
  });
};

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  type FuzzRequest,
  fixedMutation,
  getBody,
  type Mutation,
  mutation,
  oneOf,
  removeHeader,
  setHeader,
  withBytes,
} from '../request.ts';
import { ODD_NUMBERS } from './odd-values.ts';

/** The limit of the gateway. */
const MAX_BODY_BYTES = 102_400;
const SIZES = [MAX_BODY_BYTES - 100, MAX_BODY_BYTES, MAX_BODY_BYTES + 1, 3 * MAX_BODY_BYTES];

const changeText = (request: FuzzRequest, change: (text: string) => string | Buffer): FuzzRequest => {
  const body = getBody(request);
  return body ? withBytes(request, Buffer.from(change(body.toString('utf8')))) : request;
};

/** Changes the JSON text of the body, if the request has one. */
const onText = <Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  change: (text: string, value: Value) => string | Buffer,
): fc.Arbitrary<Mutation> =>
  mutation(name, values, (request, value) => changeText(request, (text) => change(text, value)));

/** Sends a text, even if the operation has no body. */
const replaceText = (name: string, texts: fc.Arbitrary<string>): fc.Arbitrary<Mutation> =>
  mutation(name, texts, (request, text) => withBytes(request, Buffer.from(text)));

const BREAKERS: Record<string, (text: string) => string> = {
  'trailing comma': (text) => text.replace(/\}$/, ',}'),
  'single quotes': (text) => text.replaceAll('"', "'"),
  'byte order mark': (text) => `\ufeff${text}`,
  comment: (text) => `// note\n${text}`,
  'two values': (text) => `${text}${text}`,
  NaN: (text) => text.replace(/":/, '":NaN,"x":'),
  'line break': (text) => text.replace(/":"/, '":"\n'),
  'unknown escape': (text) => text.replace(/":"/, '":"\\x'),
  'short escape': (text) => text.replace(/":"/, '":"\\u12'),
  'leading comma': (text) => text.replace('{', '{,'),
};
const SURROGATES = ['\\ud800', '\\udc00', '\\ud83d\\ud83d', '\\u0000', '\\u0000\\ud800'];
const INVALID_UTF8 = Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]);
const NO_OBJECTS = ['[]', '[{}]', '"text"', '1', 'true', 'null', ' ', '{}', '-', '"'];

const deepText = fc
  .tuple(fc.constantFrom(33, 1_000, 50_000), fc.boolean())
  .map(([depth, isArray]) =>
    isArray ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth / 3)}1${'}'.repeat(depth / 3)}`,
  );

/** Changes of existing JSON text. */
export const BODY_TEXT_MUTATIONS: readonly fc.Arbitrary<Mutation>[] = [
  onText('truncated JSON', fc.nat(400), (text, length) => text.slice(0, length % Math.max(1, text.length))),
  onText('broken JSON', oneOf(Object.keys(BREAKERS)), (text, name) => BREAKERS[name]?.(text) ?? text),
  onText('odd number', oneOf(ODD_NUMBERS), (text, number) =>
    text.replace(/"(?=[,}])/, '').replace(/:"?[^,}]*/, `:${number}`),
  ),
  onText('repeated key', fc.constant(null), (text) => text.replace(/^\{("[^"]*":)/, '{$1"first",$1')),
  onText('escaped surrogate', oneOf(SURROGATES), (text, sequence) => text.replace(/":"/, `":"${sequence}`)),
  onText('invalid UTF-8', fc.constant(null), (text) =>
    Buffer.concat([Buffer.from(text.slice(0, -2)), INVALID_UTF8, Buffer.from('"}')]),
  ),
  onText(
    'too large',
    oneOf(SIZES),
    (text, size) => text + ' '.repeat(Math.max(0, size - Buffer.byteLength(text))),
  ),
  fixedMutation('no body', (request) =>
    getBody(request) ? { ...request, json: undefined, bytes: undefined } : request,
  ),
];

const TYPES = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
  ],
  ...[
    'application/xml',
    'application/json-patch+json',
    'application/problem+json',
    'APPLICATION/JSON',
    'json',
  ],
  ...['utf-16', 'latin1', 'bogus', 'utf-8; x="y'].map((charset) => `application/json; charset=${charset}`),
  ...['application/json, text/plain', 'application/json;', '*/*', '/', '\xff\xfe'],
];
const gzipBomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '));
const ENCODINGS: Record<string, [name: string, encode: (plain: Buffer) => Buffer]> = {
  gzip: ['gzip', (plain) => gzipSync(plain)],
  deflate: ['deflate', (plain) => deflateSync(plain)],
  br: ['br', (plain) => brotliCompressSync(plain)],
  'plain as gzip': ['gzip', (plain) => plain],
  'plain as br': ['br', (plain) => plain],
  'gzip as deflate': ['deflate', (plain) => gzipSync(plain)],
  'truncated gzip': ['gzip', (plain) => gzipSync(plain).subarray(0, 15)],
  'gzip bomb': ['gzip', () => gzipBomb],
  'gzip twice': ['gzip, gzip', (plain) => gzipSync(gzipSync(plain))],
  'plain as zstd': ['zstd', (plain) => plain],
  identity: ['identity', (plain) => plain],
  empty: ['', (plain) => plain],
};

const withSomeBody = (request: FuzzRequest): FuzzRequest =>
  withBytes(request, getBody(request) ?? Buffer.from('{}'));

/** Mutations for the body of any operation: values of other shapes, labels, encodings. */
export const ANY_BODY_MUTATIONS: readonly fc.Arbitrary<Mutation>[] = [
  replaceText('deep body', deepText),
  replaceText('no object', oneOf(NO_OBJECTS)),
  replaceText('random text', fc.string({ unit: 'binary', maxLength: 200 })),
  replaceText('random JSON', fc.json()),
  mutation('content type', oneOf(TYPES), (request, type) =>
    setHeader(withSomeBody(request), 'Content-Type', type),
  ),
  fixedMutation('no content type', (request) => removeHeader(withSomeBody(request), 'Content-Type')),
  mutation('content encoding', oneOf(Object.keys(ENCODINGS)), (request, key) => {
    const [name, encode] = ENCODINGS[key] ?? ['', (plain: Buffer) => plain];
    const bytes = encode(getBody(request) ?? Buffer.from('{}'));
    return setHeader(withBytes(request, bytes), 'Content-Encoding', name);
  }),
  fixedMutation('chunked', (request) => setHeader(withSomeBody(request), 'Transfer-Encoding', 'chunked')),
];

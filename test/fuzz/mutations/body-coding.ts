import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bytesOf, setHeader } from '../draft.ts';
import type { Mutations } from './mutation.ts';

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'application/json-patch+json',
  'application/problem+json',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=bogus',
  'application/json; charset=utf-8; x="y',
  'application/json, text/plain',
  'application/json;',
  'json',
  '*/*',
  '/',
  '\xff\xfe',
];

const BOMB_BYTES = 20 * 1024 * 1024;
const bomb = gzipSync(Buffer.alloc(BOMB_BYTES, ' '));

const ENCODINGS: [string, (plain: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip', (plain) => plain],
  ['br', (plain) => plain],
  ['deflate', (plain) => gzipSync(plain)],
  ['gzip', (plain) => gzipSync(plain).subarray(0, 15)],
  ['gzip', () => bomb],
  ['gzip, gzip', (plain) => gzipSync(gzipSync(plain))],
  ['zstd', (plain) => plain],
  ['identity', (plain) => plain],
  ['', (plain) => plain],
];

/** What is said about a body, and how it is packed. */
export const BODY_CODING_MUTATIONS: Mutations = {
  'content type': (draft, random) => {
    draft.bytes = bytesOf(draft) ?? Buffer.from('{}');
    setHeader(draft, 'Content-Type', random.pick(TYPES));
    return true;
  },
  'no content type': (draft) => {
    draft.bytes = bytesOf(draft) ?? Buffer.from('{}');
    draft.omitsContentType = true;
    return true;
  },
  'content encoding': (draft, random) => {
    const [name, pack] = random.pick(ENCODINGS);
    draft.bytes = pack(bytesOf(draft) ?? Buffer.from('{}'));
    setHeader(draft, 'Content-Encoding', name);
    return true;
  },
  chunked: (draft) => {
    setHeader(draft, 'Transfer-Encoding', 'chunked');
    return bytesOf(draft) !== undefined;
  },
};

import { type Draft, removeHeader, setHeader } from '../draft.ts';
import type { Random } from '../random.ts';
import type { Mutation, Mutations } from './mutation.ts';

type Header = readonly [name: string, values: readonly string[]];

const ODD_HEADERS: readonly Header[] = [
  [
    'X-Fingerprint',
    ['', ' ', 'x'.repeat(256), 'x'.repeat(257), 'x'.repeat(10_000), '\xe9\xff', "' or 1=1 --"],
  ],
  [
    'X-Session-Id',
    [
      '',
      'x',
      'urn:uuid:5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11',
      '00000000-0000-0000-0000-000000000000',
      '\xff',
    ],
  ],
  ['X-Request-Id', ['', 'a', 'x'.repeat(128), 'x'.repeat(129), 'a b', '\xff', '{{7*7}}', '../x', '<b>']],
  [
    'Authorization',
    [
      '',
      'Bearer',
      'Bearer ',
      'bearer x',
      'Basic YTpi',
      'Bearer a b',
      `Bearer ${'x'.repeat(8_000)}`,
      '\xff',
      'Bearer ...',
      'Bearer e30.e30.e30',
    ],
  ],
  [
    'Cookie',
    [
      '',
      ';',
      '=',
      'a',
      'CustomerRefreshToken',
      'CustomerRefreshToken=',
      'CustomerRefreshToken=%zz',
      'CustomerRefreshToken=j:{"a":1}',
      'AdminRefreshToken=j:["x"]',
      '__proto__=x; constructor=y',
      'EmployeeRefreshToken="',
      'a=b; '.repeat(500),
    ],
  ],
  ['Accept', ['', '*/*', 'text/html', 'application/xml;q=x', '\xff']],
  ['Accept-Encoding', ['gzip', 'br;q=x', '\xff']],
  ['Origin', ['null', 'http://localhost:5173', 'https://evil.example', 'x', '']],
  ['Access-Control-Request-Method', ['GET', '\xff']],
  ['X-Forwarded-For', ['', '1.2.3.4', 'x, y', '::1', '1.2.3.4:80', "' or 1=1", '\xff'.repeat(300)]],
  ['X-Forwarded-Host', ['evil.example', '']],
  ['X-HTTP-Method-Override', ['DELETE', 'PATCH']],
  ['Host', ['', 'evil.example', '[::1', 'a b', '\xff']],
  ['If-None-Match', ['*', '"x"']],
  ['Range', ['bytes=0-', 'bytes=5-1']],
  ['Expect', ['100-continue', 'x']],
  ['Upgrade', ['websocket', 'h2c']],
  ['TE', ['trailers', 'gzip']],
  ['Connection', ['X-Fingerprint, Authorization', 'keep-alive, Upgrade', 'close', 'Content-Length']],
  ['__proto__', ['x']],
  ['constructor', ['x']],
];

const repeatHeader: Mutation = (draft, random) => {
  if (draft.headers.length === 0) return false;
  const [name, value] = random.pick(draft.headers);
  draft.headers.push([name, random.pick([value, 'x', ''])]);
  return true;
};

const addMany = (draft: Draft, random: Random): boolean => {
  for (let count = 0; count < random.pick([90, 120, 900]); count += 1)
    draft.headers.push([`X-H${count}`, '']);
  return true;
};

export const HEADER_MUTATIONS: Mutations = {
  'odd header': (draft, random) => {
    const [name, values] = random.pick(ODD_HEADERS);
    if (name === 'Authorization' || name === 'Cookie') draft.isAuthorized = false;
    setHeader(draft, name, random.pick(values));
    return true;
  },
  'missing header': (draft, random) => {
    if (draft.headers.length === 0) return false;
    removeHeader(draft, random.pick(draft.headers)[0]);
    return true;
  },
  'repeated header': repeatHeader,
  'many headers': addMany,
  'large header': (draft, random) => {
    setHeader(draft, 'X-Large', 'x'.repeat(random.pick([8_000, 15_000, 17_000, 40_000])));
    return true;
  },
};

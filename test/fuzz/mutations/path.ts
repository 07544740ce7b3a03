import type { Draft } from '../draft.ts';
import type { Random } from '../random.ts';
import type { Mutation, Mutations } from './mutation.ts';

const ODD_SEGMENTS = [
  ...['1', '0', '-1', 'me', 'null', 'undefined', '__proto__', 'constructor', 'a'.repeat(6_000)],
  ...[
    '%00',
    '%zz',
    '%',
    '%C0%80',
    '%ED%A0%80',
    '%2e%2e',
    '%2f',
    '%5c',
    '..',
    '.',
    ';a=b',
    '%20',
    "'",
    '%F0%9F%9A%80',
  ],
  ...['urn:uuid:5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11', '{5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11}'],
  ...[
    '5b0c9a343c524a3c9d5c2f6b7d0e8a11',
    '5B0C9A34-3C52-4A3C-9D5C-2F6B7D0E8A11',
    '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a1g',
  ],
];

const onPath =
  (change: (path: string, random: Random) => string): Mutation =>
  (draft, random) => {
    const before = draft.path;
    draft.path = change(before, random);
    return draft.path !== before;
  };

/** Replaces one segment behind the prefix, an id if there is one. */
const replaceSegment = (draft: Draft, random: Random): boolean => {
  const segments = draft.path.split('/');
  const ids = [...segments.keys()].filter((index) => /-4[0-9a-f]{3}-/.test(segments[index] ?? ''));
  const index = ids[0] ?? random.int(3, segments.length - 1);
  segments[index] = random.pick(ODD_SEGMENTS);
  draft.path = segments.join('/');
  return true;
};

export const PATH_MUTATIONS: Mutations = {
  'odd segment': replaceSegment,
  'another letter case': onPath((path, random) =>
    random.pick([path.toUpperCase(), path.replace('api', 'API')]),
  ),
  'slash at the end': onPath((path) => `${path}/`),
  'doubled slash': onPath((path, random) =>
    path.replace(random.pick(['/v1', '/api']), (found) => `/${found}`),
  ),
  'dot segments': onPath((path, random) =>
    path.replace(
      '/v1/',
      random.pick(['/v1/./', '/v1/x/../', '/v1/%2e%2e/v1/', '/v1/..%2fv1/', '/v1/\\..\\']),
    ),
  ),
  'further segment': onPath((path, random) => `${path}/${random.pick(ODD_SEGMENTS)}`),
  'one segment less': onPath((path) => path.slice(0, path.lastIndexOf('/')) || '/'),
  'encoded letter': onPath((path) =>
    path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ),
  'other method': (draft, random) => {
    draft.method = random.pick([
      'PUT',
      'HEAD',
      'OPTIONS',
      'DELETE',
      'PATCH',
      'POST',
      'GET',
      'TRACE',
      'PROPFIND',
      'QUERY',
    ]);
    return draft.method !== draft.operation.method;
  },
};

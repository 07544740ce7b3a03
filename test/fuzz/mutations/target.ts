import type { Operation } from '@platform/shared/testing/openapi-operations';
import fc from 'fast-check';
import { createEmptyFields, type FuzzRequest, type Mutation, mutation, oneOf } from '../request.ts';
import { ODD_NUMBERS, ODD_TEXTS, PROTOTYPE_KEYS } from './odd-values.ts';

const METHODS = 'PUT HEAD OPTIONS DELETE PATCH POST GET TRACE PROPFIND QUERY'.split(' ');
const ODD_SEGMENTS: readonly string[] = [
  ...['1', '0', '-1', 'me', 'null', 'undefined', '__proto__', 'constructor', 'a'.repeat(6_000), "'", ';a=b'],
  ...['%00', '%zz', '%', '%C0%80', '%ED%A0%80', '%2e%2e', '%2f', '%5c', '..', '.', '%20', '%F0%9F%9A%80'],
  ...['urn:uuid:5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11', '{5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11}'],
  ...['5b0c9a343c524a3c9d5c2f6b7d0e8a11', '5B0C9A34-3C52-4A3C-9D5C-2F6B7D0E8A11'],
  '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a1g',
];
const DOT_SEGMENTS = ['/v1/./', '/v1/x/../', '/v1/%2e%2e/v1/', '/v1/..%2fv1/', '/v1/\\..\\'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/;
/** The number of leading segments: the empty one and the two of the prefix `/api/v1`. */
const PREFIX_SEGMENTS = 3;

const segment = fc.oneof(
  oneOf(ODD_SEGMENTS),
  fc.string({ unit: 'binary', maxLength: 20 }).map(encodeURIComponent),
);

/** Replaces the id in the path, if there is one. */
const replaceSegment = (request: FuzzRequest, [value, place]: [string, number]): FuzzRequest => {
  const segments = request.path.split('/');
  const id = segments.findIndex((text) => UUID.test(text));
  const index = id === -1 ? PREFIX_SEGMENTS + (place % (segments.length - PREFIX_SEGMENTS)) : id;
  return { ...request, path: segments.with(index, value).join('/') };
};

const onPath = <Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  change: (path: string, value: Value) => string,
) => mutation(name, values, (request, value) => ({ ...request, path: change(request.path, value) }));

const onWholePath = (name: string, change: (path: string) => string) =>
  onPath(name, fc.constant(null), change);

export const PATH_MUTATIONS: readonly fc.Arbitrary<Mutation>[] = [
  mutation('odd segment', fc.tuple(segment, fc.nat(9)), replaceSegment),
  onWholePath('upper case path', (path) => path.toUpperCase()),
  onWholePath('upper case prefix', (path) => path.replace('api', 'API')),
  onWholePath('trailing slash', (path) => `${path}/`),
  onPath('doubled slash', oneOf(['/v1', '/api']), (path, part) => path.replace(part, `/${part}`)),
  onPath('dot segments', oneOf(DOT_SEGMENTS), (path, dots) => path.replace('/v1/', dots)),
  onPath('additional segment', segment, (path, added) => `${path}/${added}`),
  onWholePath('one segment less', (path) => path.slice(0, path.lastIndexOf('/')) || '/'),
  onWholePath('encoded letter', (path) =>
    path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ),
  mutation('other method', oneOf(METHODS), (request, method) => ({ ...request, method })),
];

const BROKEN_ENCODINGS = [
  ...['%', '%zz', '%2', '%00', '%C0%80', '%ED%A0%80', '%FF', '+', '%2B', '\xe4', '%u0041', '%F0%9F%9A%80'],
];
const COMMON_NAMES = 'page perPage search role isBlocked status category actorId from'.split(' ');
const UNDECLARED_NAMES = ['foo', '', '🚀', 'PAGE', 'page ', 'a'.repeat(2_000)].map(encodeURI);

/** Lone surrogates have no percent-encoding, so encode them as some programs do. */
const encode = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '')) || '%ED%A0%80';

/** Sets query parameters. `values` generates values as they are sent. */
const onQuery = (name: string, names: fc.Arbitrary<string>, values: fc.Arbitrary<string>) =>
  mutation(name, fc.tuple(names, values), (request, [key, value]) => ({
    ...request,
    query: [...request.query.filter(([other]) => other !== key), [key, value]],
  }));

export const queryMutations = ({ parameters }: Operation): fc.Arbitrary<Mutation>[] => {
  const declared = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const common = oneOf(COMMON_NAMES);
  const names =
    declared.length === 0
      ? common
      : fc.oneof({ weight: 9, arbitrary: oneOf(declared) }, { weight: 1, arbitrary: common });
  const one = fc.constant('1');
  const prototypeNames = oneOf(PROTOTYPE_KEYS).chain((key) =>
    fc.constantFrom(key, `${key}[x]`, `page[${key}]`, `${key}[${key}][x]`),
  );
  const structuredNames = fc
    .tuple(names, oneOf(['[]', '[0]', '[a]', '[a][b]', '.a']))
    .map(([name, suffix]) => name + suffix);
  const oddText = fc.oneof(oneOf(ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 })).map(encode);
  return [
    mutation('repeated parameter', fc.tuple(names, oneOf([undefined, '2', ''])), (request, [name, value]) => {
      const [key, first] = request.query[0] ?? [name, '1'];
      return { ...request, query: [...request.query, [key, first], [key, value ?? first]] };
    }),
    onQuery('undeclared parameter', oneOf(UNDECLARED_NAMES), one),
    onQuery('prototype parameter', prototypeNames, one),
    onQuery('structured parameter', structuredNames, one),
    onQuery('odd number in a parameter', names, oneOf(ODD_NUMBERS).map(encodeURIComponent)),
    onQuery('odd text in a parameter', names, oddText),
    onQuery('broken encoding in a parameter', names, oneOf(BROKEN_ENCODINGS)),
    onQuery('empty parameter', names, fc.constant('')),
    onQuery(
      'long parameter',
      names,
      fc.constantFrom(255, 256, 8_000).map((length) => 'a'.repeat(length)),
    ),
    mutation('many parameters', fc.constantFrom(50, 1_200), (request, count) => ({
      ...request,
      query: [...request.query, ...createEmptyFields('p', count)],
    })),
    onQuery('odd separators', oneOf(['&&&', ';a', '?', '=', '&=', '#']), fc.constant('')),
  ];
};

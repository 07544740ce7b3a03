import { expect } from 'chai';
import { compareContracts } from './compare-contracts.ts';
import type { Contract } from './openapi-types.ts';

const RELEASED = {
  info: { version: '1.0.0' },
  servers: [{ url: '/api/v1' }],
  security: [],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        security: [{ access: ['ADMIN'] }],
        parameters: [
          { $ref: '#/components/parameters/Size' },
          { name: 'X-Device', in: 'header', required: true, schema: { type: 'string', maxLength: 256 } },
        ],
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
              },
            },
            headers: { 'Set-Cookie': { schema: { type: 'string' } } },
          },
          404: { content: {} },
        },
      },
      post: {
        operationId: 'addThing',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } },
        },
        responses: { 201: {} },
      },
    },
  },
  components: {
    parameters: {
      Size: { name: 'size', in: 'query', schema: { enum: ['S', 'M'], type: 'string', default: 'S' } },
    },
    schemas: {
      Thing: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'owner'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          note: { type: 'string' },
          state: { type: 'string', enum: ['NEW', 'OLD'] },
          owner: { anyOf: [{ type: 'object' }, { type: 'null' }] },
        },
      },
      NewThing: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100 },
          note: { type: 'string' },
          weight: { type: 'number', minimum: 0 },
          size: { type: ['string', 'null'] },
          state: { type: 'string', enum: ['NEW', 'OLD'] },
          owner: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
        },
      },
    },
  },
};

type Document = typeof RELEASED;
/** The messages for a change of the released contract. */
const findBreakingChanges = (change: (document: Document) => unknown): string[] => {
  const changed = structuredClone(RELEASED);
  change(changed);
  const contracts = [RELEASED, changed] as unknown as [Contract, Contract];
  return compareContracts(...contracts).map(({ operation, change: message }) => `${operation} ${message}`);
};

const remove = (object: object, key: string): boolean => Reflect.deleteProperty(object, key);
const list = ({ paths }: Document) => paths['/things'].get;
const add = ({ paths }: Document) => paths['/things'].post;
const thing = ({ components }: Document) => components.schemas.Thing;
const newThing = ({ components }: Document) => components.schemas.NewThing;

const BREAKING: [title: string, expected: string, change: (document: Document) => unknown][] = [
  ['a path was removed', 'GET /things was removed', ({ paths }) => remove(paths, '/things')],
  ['an operation was removed', 'POST /things was removed', ({ paths }) => remove(paths['/things'], 'post')],
  [
    'an operationId was changed',
    'GET /things operationId: was listThings and is things',
    (d) => Object.assign(list(d), { operationId: 'things' }),
  ],
  [
    'the path prefix was changed',
    'every operation servers: were changed',
    (d) => Object.assign(d, { servers: [{ url: '/api/v2' }] }),
  ],
  [
    'a response property was removed',
    'GET /things response 200/[]/note: was removed',
    (d) => remove(thing(d).properties, 'note'),
  ],
  [
    'a response property became optional',
    'GET /things response 200/[]/id: became optional',
    (d) => Object.assign(thing(d), { required: ['owner'] }),
  ],
  [
    'a response value was removed',
    'GET /things response 200/[]/state: "OLD" was removed',
    (d) => thing(d).properties.state.enum.pop(),
  ],
  [
    'a response property became nullable',
    'GET /things response 200/[]/note: type was "string" and is "string", "null"',
    (d) => Object.assign(thing(d).properties.note, { type: ['string', 'null'] }),
  ],
  [
    'a response property changed its type',
    'GET /things response 200/[]/note: type was "string" and is "integer"',
    (d) => Object.assign(thing(d).properties.note, { type: 'integer' }),
  ],
  [
    'a response property changed its format',
    'GET /things response 200/[]/id: format was "uuid" and is "date"',
    (d) => Object.assign(thing(d).properties.id, { format: 'date' }),
  ],
  [
    'a response property has another alternative',
    'GET /things response 200/[]/owner: anyOf had 2 schemas and has 3',
    (d) => thing(d).properties.owner.anyOf.push({ type: 'string' }),
  ],
  [
    'a response was removed',
    'GET /things response 404: was removed',
    (d) => remove(list(d).responses, '404'),
  ],
  [
    'a success status was added',
    'POST /things response 202: was added',
    (d) => Object.assign(add(d).responses, { 202: {} }),
  ],
  [
    'a response changed its media type',
    'GET /things response 200: application/json was removed',
    (d) => remove(list(d).responses[200].content, 'application/json'),
  ],
  [
    'a response header was removed',
    'GET /things response 200, header Set-Cookie: was removed',
    (d) => remove(list(d).responses[200].headers, 'Set-Cookie'),
  ],
  [
    'a field became required',
    'POST /things body/weight: became required',
    (d) => newThing(d).required.push('weight'),
  ],
  [
    'a request field was removed',
    'POST /things body/note: was removed',
    (d) => remove(newThing(d).properties, 'note'),
  ],
  [
    'a field accepts fewer types',
    'POST /things body/size: type was "string", "null" and is "string"',
    (d) => Object.assign(newThing(d).properties.size, { type: 'string' }),
  ],
  [
    'a field accepts only integers',
    'POST /things body/weight: type was "number" and is "integer"',
    (d) => Object.assign(newThing(d).properties.weight, { type: 'integer' }),
  ],
  [
    'a request value was removed',
    'POST /things body/state: "OLD" was removed',
    (d) => newThing(d).properties.state.enum.pop(),
  ],
  [
    'a field became an enum',
    'POST /things body/note: became restricted to "a"',
    (d) => Object.assign(newThing(d).properties.note, { enum: ['a'] }),
  ],
  [
    'a field accepts fewer alternatives',
    'POST /things body/owner: anyOf had 2 schemas and has 1',
    (d) => newThing(d).properties.owner.anyOf.pop(),
  ],
  [
    'maxLength was lowered',
    'POST /things body/name: maxLength was 100 and is 50',
    (d) => Object.assign(newThing(d).properties.name, { maxLength: 50 }),
  ],
  [
    'the maximum of bytes was lowered',
    'POST /things body/name: x-max-bytes was not set and is 50',
    (d) => Object.assign(newThing(d).properties.name, { 'x-max-bytes': 50 }),
  ],
  [
    'a minimum was raised',
    'POST /things body/weight: minimum was 0 and is 1',
    (d) => Object.assign(newThing(d).properties.weight, { minimum: 1 }),
  ],
  [
    'maxLength was added',
    'POST /things body/note: maxLength was not set and is 9',
    (d) => Object.assign(newThing(d).properties.note, { maxLength: 9 }),
  ],
  [
    'a pattern was added',
    'POST /things body/note: pattern was not set and is "^a$"',
    (d) => Object.assign(newThing(d).properties.note, { pattern: '^a$' }),
  ],
  [
    'an unknown keyword was added',
    'POST /things body/note: if was not set and is {}',
    (d) => Object.assign(newThing(d).properties.note, { if: {} }),
  ],
  [
    'a body became required',
    'POST /things body: became required',
    (d) => Object.assign(add(d).requestBody, { required: true }),
  ],
  ['a body was removed', 'POST /things body: was removed', (d) => remove(add(d), 'requestBody')],
  ['a parameter was removed', 'GET /things header x-device: was removed', (d) => list(d).parameters.pop()],
  [
    'a parameter became required',
    'GET /things query size: became required',
    ({ components }) => Object.assign(components.parameters.Size, { required: true }),
  ],
  [
    'a required parameter was added',
    'POST /things query page: became required',
    (d) => Object.assign(add(d), { parameters: [{ name: 'page', in: 'query', required: true }] }),
  ],
  [
    'a default was changed',
    'GET /things query size: default was "S" and is "M"',
    ({ components }) => Object.assign(components.parameters.Size.schema, { default: 'M' }),
  ],
  [
    'a parameter changed its serialization',
    'GET /things query size: explode was not set and is false',
    ({ components }) => Object.assign(components.parameters.Size, { explode: false }),
  ],
  [
    'an operation requires a token',
    'POST /things security: was [] and is [{"access":[]}]',
    (d) => Object.assign(add(d), { security: [{ access: [] }] }),
  ],
  [
    'an operation requires another token',
    'GET /things security: was [{"access":["ADMIN"]}] and is [{"refresh":["ADMIN"]}]',
    (d) => Object.assign(list(d), { security: [{ refresh: ['ADMIN'] }] }),
  ],
  [
    'a role lost access',
    'GET /things security: was [{"access":["ADMIN"]}] and is [{"access":["OPERATOR"]}]',
    (d) => Object.assign(list(d), { security: [{ access: ['OPERATOR'] }] }),
  ],
];

const COMPATIBLE: [title: string, change: (document: Document) => unknown][] = [
  ['nothing changed', () => undefined],
  ['a path was added', ({ paths }) => Object.assign(paths, { '/others': { get: {} } })],
  ['a response property was added', (d) => Object.assign(thing(d).properties, { color: { type: 'string' } })],
  ['a response value was added', (d) => thing(d).properties.state.enum.push('LOST')],
  [
    'a response became narrower',
    (d) => Object.assign(thing(d).properties.owner, { anyOf: [{ type: 'object' }] }),
  ],
  ['an error status was added', (d) => Object.assign(list(d).responses, { 409: {} })],
  [
    'an optional field was added',
    (d) => Object.assign(newThing(d).properties, { color: { type: 'string' } }),
  ],
  ['a required field became optional', (d) => newThing(d).required.pop()],
  ['maxLength was raised', (d) => Object.assign(newThing(d).properties.name, { maxLength: 200 })],
  ['a request value was added', (d) => newThing(d).properties.state.enum.push('LOST')],
  [
    'a field accepts another type',
    (d) => Object.assign(newThing(d).properties.name, { type: ['string', 'null'] }),
  ],
  [
    'a format only tells how to display a field',
    (d) => Object.assign(newThing(d).properties.name, { format: 'password' }),
  ],
  [
    'a description was changed',
    (d) => Object.assign(newThing(d).properties.name, { description: 'Another', example: 'x' }),
  ],
  [
    'another role gained access',
    (d) => Object.assign(list(d), { security: [{ access: ['ADMIN', 'OPERATOR'] }] }),
  ],
  ['an operation no longer requires a token', (d) => Object.assign(list(d), { security: [] })],
  ['a token became optional', (d) => list(d).security.push({} as never)],
  ['another scheme became possible', (d) => list(d).security.push({ cookie: [] } as never)],
  ['a header name changed its case', (d) => Object.assign(list(d).parameters[1] ?? {}, { name: 'x-device' })],
];

describe('comparison with the released contract', () => {
  for (const [title, expected, change] of BREAKING)
    it(`reports as breaking that ${title}`, () => {
      expect(findBreakingChanges(change)).to.include(expected);
    });

  for (const [title, change] of COMPATIBLE)
    it(`accepts that ${title}`, () => {
      expect(findBreakingChanges(change)).to.deep.equal([]);
    });
});

import { expect } from 'chai';
import { compareContracts } from './compare-contracts.ts';
import type { Contract } from './openapi-parts.ts';

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
/** What a change does to the released contract, in the check's words. */
const breaksOf = (change: (document: Document) => unknown): string[] => {
  const changed = structuredClone(RELEASED);
  change(changed);
  const contracts = [RELEASED, changed] as unknown as [Contract, Contract];
  return compareContracts(...contracts).map(({ operation, what }) => `${operation} ${what}`);
};

const drop = (object: object, key: string): boolean => Reflect.deleteProperty(object, key);
const list = ({ paths }: Document) => paths['/things'].get;
const add = ({ paths }: Document) => paths['/things'].post;
const thing = ({ components }: Document) => components.schemas.Thing;
const newThing = ({ components }: Document) => components.schemas.NewThing;

const BREAKS: [story: string, expected: string, change: (document: Document) => unknown][] = [
  ['a path goes', 'GET /things is gone', ({ paths }) => drop(paths, '/things')],
  ['an operation goes', 'POST /things is gone', ({ paths }) => drop(paths['/things'], 'post')],
  [
    'an operation gets another name',
    'GET /things operationId: was listThings and is things',
    (d) => Object.assign(list(d), { operationId: 'things' }),
  ],
  [
    'the prefix changes',
    'every operation servers: are others now',
    (d) => Object.assign(d, { servers: [{ url: '/api/v2' }] }),
  ],
  [
    'an answer loses a property',
    'GET /things answer 200/[]/note: is gone',
    (d) => drop(thing(d).properties, 'note'),
  ],
  [
    'an answer may leave a property out',
    'GET /things answer 200/[]/id: is no longer always there',
    (d) => Object.assign(thing(d), { required: ['owner'] }),
  ],
  [
    'a value of an answer goes',
    'GET /things answer 200/[]/state: "OLD" is gone',
    (d) => thing(d).properties.state.enum.pop(),
  ],
  [
    'an answer may be null',
    'GET /things answer 200/[]/note: the type was "string" and is "string", "null"',
    (d) => Object.assign(thing(d).properties.note, { type: ['string', 'null'] }),
  ],
  [
    'an answer gets another type',
    'GET /things answer 200/[]/note: the type was "string" and is "integer"',
    (d) => Object.assign(thing(d).properties.note, { type: 'integer' }),
  ],
  [
    'an answer gets another format',
    'GET /things answer 200/[]/id: format was "uuid" and is "date"',
    (d) => Object.assign(thing(d).properties.id, { format: 'date' }),
  ],
  [
    'an answer gets a further alternative',
    'GET /things answer 200/[]/owner: anyOf has 3 parts and had 2',
    (d) => thing(d).properties.owner.anyOf.push({ type: 'string' }),
  ],
  ['an answer goes', 'GET /things answer 404: is gone', (d) => drop(list(d).responses, '404')],
  [
    'a new success comes',
    'POST /things answer 202: is new',
    (d) => Object.assign(add(d).responses, { 202: {} }),
  ],
  [
    'an answer changes its media type',
    'GET /things answer 200: application/json is gone',
    (d) => drop(list(d).responses[200].content, 'application/json'),
  ],
  [
    'an answer loses a header',
    'GET /things answer 200, header Set-Cookie: is gone',
    (d) => drop(list(d).responses[200].headers, 'Set-Cookie'),
  ],
  [
    'a new field is required',
    'POST /things body/weight: is required now',
    (d) => newThing(d).required.push('weight'),
  ],
  [
    'a field is no longer taken',
    'POST /things body/note: is gone',
    (d) => drop(newThing(d).properties, 'note'),
  ],
  [
    'a field takes fewer types',
    'POST /things body/size: the type was "string", "null" and is "string"',
    (d) => Object.assign(newThing(d).properties.size, { type: 'string' }),
  ],
  [
    'a field takes whole numbers only',
    'POST /things body/weight: the type was "number" and is "integer"',
    (d) => Object.assign(newThing(d).properties.weight, { type: 'integer' }),
  ],
  [
    'a value is no longer taken',
    'POST /things body/state: "OLD" is gone',
    (d) => newThing(d).properties.state.enum.pop(),
  ],
  [
    'only certain values are taken',
    'POST /things body/note: only "a" is taken now',
    (d) => Object.assign(newThing(d).properties.note, { enum: ['a'] }),
  ],
  [
    'a field takes fewer alternatives',
    'POST /things body/owner: anyOf has 1 parts and had 2',
    (d) => newThing(d).properties.owner.anyOf.pop(),
  ],
  [
    'a text must be shorter',
    'POST /things body/name: maxLength was 100 and is 50',
    (d) => Object.assign(newThing(d).properties.name, { maxLength: 50 }),
  ],
  [
    'a number must be larger',
    'POST /things body/weight: minimum was 0 and is 1',
    (d) => Object.assign(newThing(d).properties.weight, { minimum: 1 }),
  ],
  [
    'a text gets a limit',
    'POST /things body/note: maxLength was not set and is 9',
    (d) => Object.assign(newThing(d).properties.note, { maxLength: 9 }),
  ],
  [
    'a text must have a form',
    'POST /things body/note: pattern was not set and is "^a$"',
    (d) => Object.assign(newThing(d).properties.note, { pattern: '^a$' }),
  ],
  [
    'something that is not understood changes',
    'POST /things body/note: if was not set and is {}',
    (d) => Object.assign(newThing(d).properties.note, { if: {} }),
  ],
  [
    'a body is required',
    'POST /things body: is required now',
    (d) => Object.assign(add(d).requestBody, { required: true }),
  ],
  ['a body is no longer taken', 'POST /things body: is gone', (d) => drop(add(d), 'requestBody')],
  ['a parameter goes', 'GET /things header x-device: is gone', (d) => list(d).parameters.pop()],
  [
    'a parameter is required',
    'GET /things query size: is required now',
    ({ components }) => Object.assign(components.parameters.Size, { required: true }),
  ],
  [
    'a new required parameter comes',
    'POST /things query page: is required now',
    (d) => Object.assign(add(d), { parameters: [{ name: 'page', in: 'query', required: true }] }),
  ],
  [
    'a default changes',
    'GET /things query size: default was "S" and is "M"',
    ({ components }) => Object.assign(components.parameters.Size.schema, { default: 'M' }),
  ],
  [
    'a parameter is read otherwise',
    'GET /things query size: explode was not set and is false',
    ({ components }) => Object.assign(components.parameters.Size, { explode: false }),
  ],
  [
    'a token is asked for',
    'POST /things who may call it: was [] and is [{"access":[]}]',
    (d) => Object.assign(add(d), { security: [{ access: [] }] }),
  ],
  [
    'another token is asked for',
    'GET /things who may call it: was [{"access":["ADMIN"]}] and is [{"refresh":["ADMIN"]}]',
    (d) => Object.assign(list(d), { security: [{ refresh: ['ADMIN'] }] }),
  ],
  [
    'a role is shut out',
    'GET /things who may call it: was [{"access":["ADMIN"]}] and is [{"access":["OPERATOR"]}]',
    (d) => Object.assign(list(d), { security: [{ access: ['OPERATOR'] }] }),
  ],
];

const HARMLESS: [story: string, change: (document: Document) => unknown][] = [
  ['nothing changes', () => undefined],
  ['a new path comes', ({ paths }) => Object.assign(paths, { '/others': { get: {} } })],
  ['an answer gains a property', (d) => Object.assign(thing(d).properties, { color: { type: 'string' } })],
  ['an answer gains a value', (d) => thing(d).properties.state.enum.push('LOST')],
  ['an answer is narrower', (d) => Object.assign(thing(d).properties.owner, { anyOf: [{ type: 'object' }] })],
  ['a new error is documented', (d) => Object.assign(list(d).responses, { 409: {} })],
  [
    'a further field may be sent',
    (d) => Object.assign(newThing(d).properties, { color: { type: 'string' } }),
  ],
  ['a required field may be left out', (d) => newThing(d).required.pop()],
  ['a text may be longer', (d) => Object.assign(newThing(d).properties.name, { maxLength: 200 })],
  ['a field takes a further value', (d) => newThing(d).properties.state.enum.push('LOST')],
  [
    'a field takes a further type',
    (d) => Object.assign(newThing(d).properties.name, { type: ['string', 'null'] }),
  ],
  [
    'words change',
    (d) => Object.assign(newThing(d).properties.name, { description: 'Another', example: 'x' }),
  ],
  [
    'a further role is let in',
    (d) => Object.assign(list(d), { security: [{ access: ['ADMIN', 'OPERATOR'] }] }),
  ],
  ['nobody is asked for a token any more', (d) => Object.assign(list(d), { security: [] })],
  [
    'a header is written in other letters',
    (d) => Object.assign(list(d).parameters[1] ?? {}, { name: 'x-device' }),
  ],
];

describe('A contract held against the released one', () => {
  for (const [story, expected, change] of BREAKS)
    it(`When ${story}, then that is a break`, () => {
      expect(breaksOf(change)).to.include(expected);
    });

  for (const [story, change] of HARMLESS)
    it(`When ${story}, then no caller breaks`, () => {
      expect(breaksOf(change)).to.deep.equal([]);
    });
});

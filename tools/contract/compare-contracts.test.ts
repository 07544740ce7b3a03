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
          id: { type: 'string', format: 'uuid' },
          code: { type: 'string', pattern: '^\\d{6}$' },
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

type Change = (document: Document) => unknown;
type Properties<Pick extends (document: Document) => { properties: object }> =
  keyof ReturnType<Pick>['properties'];
const inThing =
  (property: Properties<typeof thing>, changed: object): Change =>
  (document) =>
    Object.assign(thing(document).properties[property], changed);
const inNewThing =
  (property: Properties<typeof newThing>, changed: object): Change =>
  (document) =>
    Object.assign(newThing(document).properties[property], changed);
const inSize =
  (changed: object): Change =>
  ({ components }) =>
    Object.assign(components.parameters.Size, changed);
const inList =
  (changed: object): Change =>
  (document) =>
    Object.assign(list(document), changed);
const inAdd =
  (changed: object): Change =>
  (document) =>
    Object.assign(add(document), changed);

const BREAKING: Record<string, Change> = {
  'GET /things was removed': ({ paths }) => remove(paths, '/things'),
  'POST /things was removed': ({ paths }) => remove(paths['/things'], 'post'),
  'GET /things operationId: was listThings and is things': inList({ operationId: 'things' }),
  'every operation servers: were changed': (d) => Object.assign(d, { servers: [{ url: '/api/v2' }] }),
  'GET /things response 200/[]/note: was removed': (d) => remove(thing(d).properties, 'note'),
  'GET /things response 200/[]/id: became optional': (d) => Object.assign(thing(d), { required: ['owner'] }),
  'GET /things response 200/[]/state: "OLD" was removed': (d) => thing(d).properties.state.enum.pop(),
  'GET /things response 200/[]/note: type was "string" and is "string", "null"': inThing('note', {
    type: ['string', 'null'],
  }),
  'GET /things response 200/[]/note: type was "string" and is "integer"': inThing('note', {
    type: 'integer',
  }),
  'GET /things response 200/[]/id: format was "uuid" and is "date"': inThing('id', { format: 'date' }),
  'GET /things response 200/[]/owner: anyOf had 2 schemas and has 3': (d) =>
    thing(d).properties.owner.anyOf.push({ type: 'string' }),
  'GET /things response 404: was removed': (d) => remove(list(d).responses, '404'),
  'POST /things response 202: was added': (d) => Object.assign(add(d).responses, { 202: {} }),
  'GET /things response 200: application/json was removed': (d) =>
    remove(list(d).responses[200].content, 'application/json'),
  'GET /things response 200, header Set-Cookie: was removed': (d) =>
    remove(list(d).responses[200].headers, 'Set-Cookie'),
  'POST /things body/weight: became required': (d) => newThing(d).required.push('weight'),
  'POST /things body/note: was removed': (d) => remove(newThing(d).properties, 'note'),
  'POST /things body/size: type was "string", "null" and is "string"': inNewThing('size', { type: 'string' }),
  'POST /things body/weight: type was "number" and is "integer"': inNewThing('weight', { type: 'integer' }),
  'POST /things body/state: "OLD" was removed': (d) => newThing(d).properties.state.enum.pop(),
  'POST /things body/note: became restricted to "a"': inNewThing('note', { enum: ['a'] }),
  'POST /things body/owner: anyOf had 2 schemas and has 1': (d) => newThing(d).properties.owner.anyOf.pop(),
  'POST /things body/name: maxLength was 100 and is 50': inNewThing('name', { maxLength: 50 }),
  'POST /things body/name: x-max-bytes was not set and is 50': inNewThing('name', { 'x-max-bytes': 50 }),
  'POST /things body/weight: minimum was 0 and is 1': inNewThing('weight', { minimum: 1 }),
  'POST /things body/note: maxLength was not set and is 9': inNewThing('note', { maxLength: 9 }),
  'POST /things body/code: maxLength was not set and is 5': inNewThing('code', { maxLength: 5 }),
  'POST /things body/note: pattern was not set and is "^a$"': inNewThing('note', { pattern: '^a$' }),
  'POST /things body/note: if was not set and is {}': inNewThing('note', { if: {} }),
  'POST /things body: became required': (d) => Object.assign(add(d).requestBody, { required: true }),
  'POST /things body: was removed': (d) => remove(add(d), 'requestBody'),
  'GET /things header x-device: was removed': (d) => list(d).parameters.pop(),
  'GET /things query size: became required': inSize({ required: true }),
  'POST /things query page: became required': inAdd({
    parameters: [{ name: 'page', in: 'query', required: true }],
  }),
  'GET /things query size: default was "S" and is "M"': ({ components }) =>
    Object.assign(components.parameters.Size.schema, { default: 'M' }),
  'GET /things query size: explode was not set and is false': inSize({ explode: false }),
  'POST /things security: was [] and is [{"access":[]}]': inAdd({ security: [{ access: [] }] }),
  'GET /things security: was [{"access":["ADMIN"]}] and is [{"refresh":["ADMIN"]}]': inList({
    security: [{ refresh: ['ADMIN'] }],
  }),
  'GET /things security: was [{"access":["ADMIN"]}] and is [{"access":["OPERATOR"]}]': inList({
    security: [{ access: ['OPERATOR'] }],
  }),
};

const COMPATIBLE: Record<string, Change> = {
  'nothing changed': () => undefined,
  'a path was added': ({ paths }) => Object.assign(paths, { '/others': { get: {} } }),
  'a response property was added': (d) => Object.assign(thing(d).properties, { color: { type: 'string' } }),
  'a response value was added': (d) => thing(d).properties.state.enum.push('LOST'),
  'a response became narrower': inThing('owner', { anyOf: [{ type: 'object' }] }),
  'an error status was added': (d) => Object.assign(list(d).responses, { 409: {} }),
  'an optional field was added': (d) => Object.assign(newThing(d).properties, { color: { type: 'string' } }),
  'a required field became optional': (d) => newThing(d).required.pop(),
  'maxLength was raised': inNewThing('name', { maxLength: 200 }),
  'maxLength was set to that of the format': inNewThing('id', { maxLength: 36 }),
  'maxLength was set to that of the pattern': inNewThing('code', { maxLength: 6 }),
  'maxLength was set to that of any body': inNewThing('note', { maxLength: 102_400 }),
  'a request value was added': (d) => newThing(d).properties.state.enum.push('LOST'),
  'a field accepts another type': inNewThing('name', { type: ['string', 'null'] }),
  'a format only tells how to display a field': inNewThing('name', { format: 'password' }),
  'a description was changed': inNewThing('name', { description: 'Another', example: 'x' }),
  'another role gained access': inList({ security: [{ access: ['ADMIN', 'OPERATOR'] }] }),
  'an operation no longer requires a token': inList({ security: [] }),
  'a token became optional': (d) => list(d).security.push({} as never),
  'another scheme became possible': (d) => list(d).security.push({ cookie: [] } as never),
  'a header name changed its case': (d) => Object.assign(list(d).parameters[1] ?? {}, { name: 'x-device' }),
};

describe('comparison with the released contract', () => {
  for (const [expected, change] of Object.entries(BREAKING))
    it(`reports ${expected}`, () => {
      expect(findBreakingChanges(change)).to.include(expected);
    });

  for (const [title, change] of Object.entries(COMPATIBLE))
    it(`accepts that ${title}`, () => {
      expect(findBreakingChanges(change)).to.deep.equal([]);
    });
});

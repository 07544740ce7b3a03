import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { createErrorHandler } from '../http/error-responses.ts';
import { createRequestState } from '../http/request-logging.ts';
import { createLog } from '../log/log.ts';
import { listOperations, type OpenApiDocument } from './openapi-document.ts';
import { createOperationRouter } from './operation-router.ts';

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [{ url: '/api/v1/' }],
  paths: {
    '/things/{thingId}/parts/{partId}': {
      parameters: [{ name: 'X-Path', in: 'header' }],
      get: {
        operationId: 'getPart',
        parameters: [{ $ref: '#/components/parameters/Device' }, { name: 'page', in: 'query' }],
      },
      delete: { operationId: 'deletePart' },
    },
    '/': { post: { operationId: 'createRoot' } },
  },
  components: {
    parameters: {
      Device: { $ref: '#/components/parameters/Fingerprint' },
      Fingerprint: { name: 'X-Device', in: 'header' },
    },
    securitySchemes: { bearer: {} },
  },
};

const responses = { 200: { description: 'Done.' } };
const SCHEME = { type: 'http', scheme: 'bearer' };
const THING_ID = { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } };
const PART_ID = { ...THING_ID, name: 'partId' };
/** The document is complete, so that the validator accepts it. */
const valid: OpenApiDocument = {
  ...document,
  paths: {
    '/things/{thingId}/parts/{partId}': {
      parameters: [THING_ID, PART_ID],
      get: { operationId: 'getPart', responses },
      delete: { operationId: 'deletePart', responses },
    },
    '/': { post: { operationId: 'createRoot', responses } },
  },
  components: {},
};

describe('OpenAPI operations', () => {
  const operations = listOperations(document);

  it('become routes of Express, with the headers and the query that they read', () => {
    expect(operations).to.deep.equal([
      {
        name: 'getPart',
        kind: undefined,
        method: 'get',
        route: '/api/v1/things/:thingId/parts/:partId',
        headerNames: ['X-Path', 'X-Device'],
        queryNames: ['page'],
        security: [],
        needsBotCheck: false,
        needsRecentProof: false,
      },
      {
        name: 'deletePart',
        kind: undefined,
        method: 'delete',
        route: '/api/v1/things/:thingId/parts/:partId',
        headerNames: ['X-Path'],
        queryNames: [],
        security: [],
        needsBotCheck: false,
        needsRecentProof: false,
      },
      {
        name: 'createRoot',
        kind: undefined,
        method: 'post',
        route: '/api/v1',
        headerNames: [],
        queryNames: [],
        security: [],
        needsBotCheck: false,
        needsRecentProof: false,
      },
    ]);
  });

  it('reject a reference to a missing component', () => {
    const broken = structuredClone(document);
    broken.components = {};
    expect(() => listOperations(broken)).to.throw('#/components/parameters/Device does not exist');
  });

  const security = { bearer: async () => 'caller' };
  const createRouter = (
    own: OpenApiDocument,
    operations: object,
    handlers: Record<string, () => Promise<unknown>> = security,
  ) => {
    const app = express().use(createRequestState);
    const options = { document: own, unknownFields: 'reject', validateResponses: false } as const;
    return createOperationRouter(app, { ...options, operations, security: handlers }).then((router) =>
      app.use(router).use(createErrorHandler(createLog({ service: 'test', level: 'silent' }))),
    );
  };
  const failureOf = async (created: Promise<unknown>): Promise<string> =>
    (await getRejection(created)).message;

  it('require a handler for each operation and an operation for each handler', async () => {
    const handler = () => ({ status: 204 });
    const all = { getPart: handler, deletePart: handler, createRoot: handler };
    await createRouter(valid, all);
    expect(await failureOf(createRouter(valid, { getPart: handler }))).to.equal(
      'Operations without a handler: deletePart, createRoot',
    );
    expect(await failureOf(createRouter(valid, { ...all, more: handler }))).to.equal(
      'Handlers without an operation: more',
    );
  });

  it('do not start with `x-recent-proof` where nothing checks it', async () => {
    const post = { operationId: 'createRoot', 'x-recent-proof': true, responses };
    const created = createRouter(
      { ...valid, paths: { '/': { post } } },
      { createRoot: () => ({ status: 204 }) },
    );
    expect(await failureOf(created)).to.equal('createRoot needs a recent proof, which nothing checks');
  });

  it('share the handler of their name, which gets the kind of account', async () => {
    const describe = (kind: string) => ({
      post: { operationId: `${kind}SignIn`, 'x-operation': 'signIn', 'x-kind': kind, responses },
    });
    const paths = { '/customers/sign-in': describe('customer'), '/admin/sign-in': describe('administrator') };
    const signIn = ({ kind }: { kind: string }) => ({ status: 200, body: kind });
    const app = await createRouter({ ...valid, paths }, { signIn });
    expect((await request(app).post('/api/v1/customers/sign-in')).body).to.equal('customer');
    expect((await request(app).post('/api/v1/admin/sign-in')).body).to.equal('administrator');
  });

  it('register as Express routes: other methods are 405, and a fixed path precedes a parameter', async () => {
    const things: OpenApiDocument = {
      ...valid,
      paths: {
        '/things/{thingId}': { parameters: [THING_ID], get: { operationId: 'getThing', responses } },
        '/things/mine': { get: { operationId: 'getMine', responses } },
      },
    };
    const app = await createRouter(things, {
      getThing: ({ path }: { path: object }) => ({ status: 200, body: path }),
      getMine: () => ({ status: 200, body: 'mine' }),
    });
    expect((await request(app).get('/api/v1/things/7')).body).to.deep.equal({ thingId: '7' });
    expect((await request(app).get('/api/v1/things/mine')).body).to.equal('mine');
    expect((await request(app).post('/api/v1/things/mine')).headers).to.include({ allow: 'GET' });
    for (const path of ['/api/v1/things/7/', '/api/v1/Things/7', '/api/v1/other'])
      expect((await request(app).get(path)).status, path).to.equal(404);
    expect((await request(app).head('/api/v1/things/7')).status).to.equal(405);
  });

  describe('with alternative security schemes', () => {
    const withSecurity = (...requirements: Record<string, string[]>[]): OpenApiDocument => ({
      ...valid,
      paths: { '/': { get: { operationId: 'getRoot', security: requirements, responses } } },
      components: { securitySchemes: { cookie: SCHEME, bearer: SCHEME } },
    });
    const getRoot = ({ caller }: { caller?: string }) => ({ status: 200, body: caller ?? 'nobody' });
    const { bearer } = security;
    const callerOf = async (...requirements: Record<string, string[]>[]): Promise<unknown> => {
      const app = await createRouter(withSecurity(...requirements), { getRoot }, { cookie: bearer, bearer });
      return (await request(app).get('/api/v1/')).body;
    };

    it('authenticate with their common handler, also when a token is optional', async () => {
      expect(await callerOf({ cookie: [] }, { bearer: [] })).to.equal('caller');
      expect(await callerOf({ cookie: [] }, {})).to.equal('caller');
      expect(await callerOf({}, { cookie: [] })).to.equal('caller');
      expect(await callerOf()).to.equal('nobody');
    });

    it('require one handler for all alternatives and one scheme in each', async () => {
      const handlers = { cookie: async () => 'other', bearer };
      for (const requirements of [[{ cookie: [] }, { bearer: [] }], [{ cookie: [], bearer: [] }]])
        expect(await failureOf(createRouter(withSecurity(...requirements), { getRoot }, handlers))).to.equal(
          'getRoot has several security handlers',
        );
      expect(await failureOf(createRouter(withSecurity({ cookie: [] }), { getRoot }, {}))).to.equal(
        'Security schemes without a handler: cookie',
      );
    });
  });
});

import { expect } from 'chai';
import { listOperations, type OpenApiDocument } from './openapi-document.ts';
import { authenticate, createOperationHandler } from './operation-router.ts';

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

describe('OpenAPI operations', () => {
  const operations = listOperations(document);

  it("are listed in Express's words, with the headers that they read", () => {
    expect(operations).to.deep.equal([
      {
        id: 'getPart',
        method: 'get',
        route: '/api/v1/things/:thingId/parts/:partId',
        headerNames: ['X-Path', 'X-Device'],
      },
      {
        id: 'deletePart',
        method: 'delete',
        route: '/api/v1/things/:thingId/parts/:partId',
        headerNames: ['X-Path'],
      },
      { id: 'createRoot', method: 'post', route: '/api/v1', headerNames: [] },
    ]);
  });

  it('reject a reference to a missing component', () => {
    const broken = structuredClone(document);
    broken.components = {};
    expect(() => listOperations(broken)).to.throw('#/components/parameters/Device does not exist');
  });

  it('require a handler for each operation and an operation for each handler', () => {
    const handler = () => ({ status: 204 });
    const mount = (handlers: object) => () => createOperationHandler(operations, handlers);
    expect(mount({ getPart: handler, deletePart: handler, createRoot: handler })).not.to.throw();
    expect(mount({ getPart: handler })).to.throw('Operations without a handler: deletePart, createRoot');
    expect(mount({ getPart: handler, deletePart: handler, createRoot: handler, more: handler })).to.throw(
      'Handlers without an operation: more',
    );
  });

  it('require a handler for each security scheme', () => {
    expect(() => authenticate(document, {})).to.throw('Security schemes without a handler: bearer');
    expect(() => authenticate(document, { bearer: async () => undefined })).not.to.throw();
  });

  describe('with alternative security schemes', () => {
    const cookie = async () => 'caller';
    const withSecurity = (...security: Record<string, string[]>[]): OpenApiDocument => ({
      ...document,
      paths: { '/': { get: { operationId: 'getRoot', security } } },
      components: { securitySchemes: { cookie: {}, bearer: {} } },
    });
    const authenticateRoot = async (...security: Record<string, string[]>[]): Promise<unknown> => {
      const middleware = authenticate(withSecurity(...security), { cookie, bearer: cookie });
      const locals: { caller?: unknown } = {};
      const request = { openapi: { schema: { operationId: 'getRoot' } } };
      await new Promise((resolve) => void middleware(request as never, { locals } as never, resolve));
      return locals.caller;
    };

    it('authenticate with their common handler, also when a token is optional', async () => {
      expect(await authenticateRoot({ cookie: [] }, { bearer: [] })).to.equal('caller');
      expect(await authenticateRoot({ cookie: [] }, {})).to.equal('caller');
      expect(await authenticateRoot({}, { cookie: [] })).to.equal('caller');
      expect(await authenticateRoot()).to.equal(undefined);
    });

    it('require one handler for all alternatives and one scheme in each', () => {
      const other = async () => 'other';
      const handlers = { cookie, bearer: other };
      for (const security of [[{ cookie: [] }, { bearer: [] }], [{ cookie: [], bearer: [] }]])
        expect(() => authenticate(withSecurity(...security), handlers)).to.throw(
          'getRoot has several security handlers',
        );
    });
  });
});

import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { createErrorHandler } from '../http/error-responses.ts';
import { createRequestState } from '../http/request-logging.ts';
import { createLog } from '../log/log.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { createOperationRouter } from './operation-router.ts';
import { toStrict } from './strict-document.ts';

const WORDS = { type: 'string', 'x-known-values': ['password', 'totp'] };
const METHOD = { ...WORDS, 'x-known-pattern': '^oidc:' };
const schema = {
  type: 'object',
  required: ['factor', 'method'],
  properties: {
    factor: WORDS,
    method: METHOD,
    details: { type: 'object', additionalProperties: true },
  },
};
const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [{ url: '/api/v1/' }],
  paths: {
    '/me': {
      get: {
        operationId: 'me',
        responses: { 200: { description: 'Done.', content: { 'application/json': { schema } } } },
      },
    },
  },
  components: {},
};

const BODY = { factor: 'totp', method: 'oidc:company', details: { any: 'field' } };
const OF_A_LATER_RELEASE = {
  'an unknown field': { ...BODY, planted: true },
  'an unknown word': { ...BODY, factor: 'planted' },
  'an unknown form': { ...BODY, method: 'planted' },
};

describe('open schemas of responses', () => {
  const sendMe = async (body: object, validateResponses: boolean) => {
    const app = express().use(createRequestState);
    const router = await createOperationRouter(app, {
      document,
      unknownFields: 'reject',
      validateResponses,
      operations: { me: async () => ({ status: 200, body }) },
      security: {},
    });
    app.use(router).use(createErrorHandler(createLog({ service: 'test', level: 'silent' })));
    return await request(app).get('/api/v1/me');
  };

  it('leave what the service sends unchanged in production', async () => {
    for (const body of Object.values(OF_A_LATER_RELEASE)) {
      const response = await sendMe(body, false);
      expect([response.status, response.body]).to.deep.equal([200, body]);
    }
  });

  it('are closed in tests and development', async () => {
    expect((await sendMe(BODY, true)).body).to.deep.equal(BODY);
    for (const [title, body] of Object.entries(OF_A_LATER_RELEASE))
      expect((await sendMe(body, true)).status, title).to.equal(500);
  });

  it('have a strict form, and stay open themselves', () => {
    const published = JSON.stringify(document);
    const content = toStrict(document).paths['/me']?.get?.responses?.['200']?.content;
    expect(content?.['application/json']?.schema).to.deep.equal({
      type: 'object',
      required: ['factor', 'method'],
      additionalProperties: false,
      properties: {
        factor: { type: 'string', enum: ['password', 'totp'] },
        method: { type: 'string', anyOf: [{ enum: ['password', 'totp'] }, { pattern: '^oidc:' }] },
        details: { type: 'object', additionalProperties: true },
      },
    });
    expect(JSON.stringify(document)).to.equal(published);
  });
});

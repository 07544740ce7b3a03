import { expect } from 'chai';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import request from 'supertest';
import { chainMiddleware } from './chain-middleware.ts';

const createTestApp = (...handlers: RequestHandler[]) => {
  const app = express();
  app.use(chainMiddleware(...handlers));
  app.use((_req, res) => {
    res.send('after the chain');
  });
  const sendErrorResponse: ErrorRequestHandler = (error: Error, _req, res, _next) => {
    res.status(500).send(error.message);
  };
  app.use(sendErrorResponse);
  return app;
};

const append =
  (mark: string): RequestHandler =>
  (_req, res, next) => {
    res.append('X-Order', mark);
    next();
  };
const asynchronous: RequestHandler = async (_req, res, next) => {
  await Promise.resolve();
  res.append('X-Order', 'async');
  next();
};

describe('chainMiddleware', () => {
  it('runs synchronous and asynchronous middleware in order, then the next handler', async () => {
    const response = await request(createTestApp(append('one'), asynchronous, append('two'))).get('/');
    expect(response.headers['x-order']).to.equal('one, async, two');
    expect(response.text).to.equal('after the chain');
  });

  it('stops at the middleware that sends a response', async () => {
    const response = await request(createTestApp((_req, res) => res.send('sent'), append('never'))).get('/');
    expect(response.text).to.equal('sent');
    expect(response.headers).not.to.have.property('x-order');
  });

  const failure = new Error('failed');
  const failing: Record<string, RequestHandler> = {
    throws: () => {
      throw failure;
    },
    rejects: async () => {
      await Promise.resolve();
      throw failure;
    },
    'passes an error on': (_req, _res, next) => next(failure),
  };
  for (const [how, handler] of Object.entries(failing))
    it(`passes to the error handlers when middleware ${how}, also after an asynchronous one`, async () => {
      for (const before of [append('one'), asynchronous]) {
        const response = await request(createTestApp(before, handler, append('never'))).get('/');
        expect(response.status).to.equal(500);
        expect(response.text).to.equal('failed');
        expect(response.headers['x-order']).to.be.oneOf(['one', 'async']);
      }
    });
});

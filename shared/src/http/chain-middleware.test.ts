import { expect } from 'chai';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import request from 'supertest';
import { chainMiddleware } from './chain-middleware.ts';

const appOf = (...steps: RequestHandler[]) => {
  const app = express();
  app.use(chainMiddleware(...steps));
  app.use((_req, res) => {
    res.send('past the steps');
  });
  const answerError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
    res.status(500).send(error.message);
  };
  app.use(answerError);
  return app;
};

const note =
  (mark: string): RequestHandler =>
  (_req, res, next) => {
    res.append('X-Passed', mark);
    next();
  };
const late: RequestHandler = async (_req, res, next) => {
  await Promise.resolve();
  res.append('X-Passed', 'late');
  next();
};

describe('chainMiddleware', () => {
  it('runs synchronous and asynchronous middleware in order, then the next handler', async () => {
    const answer = await request(appOf(note('one'), late, note('two'))).get('/');
    expect(answer.headers['x-passed']).to.equal('one, late, two');
    expect(answer.text).to.equal('past the steps');
  });

  it('stops at the middleware that sends a response', async () => {
    const answer = await request(appOf((_req, res) => res.send('answered'), note('never'))).get('/');
    expect(answer.text).to.equal('answered');
    expect(answer.headers).not.to.have.property('x-passed');
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
  for (const [how, step] of Object.entries(failing))
    it(`passes to the error handlers when middleware ${how}, also after an asynchronous one`, async () => {
      for (const before of [note('one'), late]) {
        const answer = await request(appOf(before, step, note('never'))).get('/');
        expect(answer.status).to.equal(500);
        expect(answer.text).to.equal('failed');
        expect(answer.headers['x-passed']).to.be.oneOf(['one', 'late']);
      }
    });
});

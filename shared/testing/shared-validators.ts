import type { Request, RequestHandler } from 'express';
import openApiValidator from 'express-openapi-validator';

type Middleware = ReturnType<typeof openApiValidator.middleware>;
type Validated = { openapi?: object };

const { middleware } = openApiValidator;
const built = new Map<string, Middleware>();

/** Remembers the operations that the handler has found, because finding one compiles the pattern of each route. */
const rememberOperations = (handler: RequestHandler): RequestHandler => {
  const found = new Map<string, object>();
  return (req: Request & Validated, res, next) => {
    if (req.openapi) return handler(req, res, next);
    const key = `${req.method} ${req.path}`;
    const known = found.get(key);
    if (known) {
      req.openapi = known;
      return next();
    }
    return handler(req, res, (error?: unknown) => {
      if (req.openapi) found.set(key, req.openapi);
      next(error);
    });
  };
};

// Each suite composes its service with the same document. Building the validators of a document takes longer
// than everything else, so they are built once in each process.
Object.assign(openApiValidator, {
  middleware: (options: Parameters<typeof middleware>[0]): Middleware => {
    const key = JSON.stringify(options);
    const validators =
      built.get(key) ?? ((middleware(options) as RequestHandler[]).map(rememberOperations) as Middleware);
    built.set(key, validators);
    return validators;
  },
});

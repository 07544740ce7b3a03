import openApiValidator from 'express-openapi-validator';

type Middleware = ReturnType<typeof openApiValidator.middleware>;

const { middleware } = openApiValidator;
const built = new Map<string, Middleware>();

/** A service looks up each operation at its start, by compiling the patterns of all others. */
const rememberMatches = (validators: Middleware): Middleware => {
  const found = new Map<string, unknown>();
  return validators.map((validator) => {
    if (validator.name !== 'metadataMiddleware') return validator;
    return (req, res, next) => {
      const key = `${req.method} ${req.originalUrl}`;
      if (found.has(key)) {
        Object.assign(req, { openapi: found.get(key) });
        return next();
      }
      return validator(req, res, (error) => {
        if (error === undefined && 'openapi' in req) found.set(key, req.openapi);
        next(error);
      });
    };
  });
};

// Each suite composes its service with the same document. Building the validators of a document takes longer
// than everything else, so they are built once in each process.
Object.assign(openApiValidator, {
  middleware: (options: Parameters<typeof middleware>[0]): Middleware => {
    const key = JSON.stringify(options);
    const validators = built.get(key) ?? rememberMatches(middleware(options));
    built.set(key, validators);
    return validators;
  },
});

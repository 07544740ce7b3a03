import openApiValidator from 'express-openapi-validator';

type Middleware = ReturnType<typeof openApiValidator.middleware>;

const { middleware } = openApiValidator;
const built = new Map<string, Middleware>();

// Each suite composes its service with the same document. Building the validators of a document takes longer
// than everything else, so they are built once in each process.
Object.assign(openApiValidator, {
  middleware: (options: Parameters<typeof middleware>[0]): Middleware => {
    const key = JSON.stringify(options);
    const validators = built.get(key) ?? middleware(options);
    built.set(key, validators);
    return validators;
  },
});

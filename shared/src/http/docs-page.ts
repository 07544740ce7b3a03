import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import swaggerUi from 'swagger-ui-express';
import type { OpenApiDocument } from './openapi-document.ts';

const docsHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // Swagger UI sets style attributes and draws its icons from data: URLs.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** Leaves deeper paths alone: below /api lies all of /api/v1. */
const onlyFiles = (handlers: RequestHandler[]): RequestHandler[] =>
  handlers.map((handler) => (req, res, next) => {
    if (/^\/[\w-]+\.[\w.-]+$/.test(req.path)) handler(req, res, next);
    else next();
  });

/** Swagger UI at `path`, its document at `path`/openapi.json; nothing comes from another host. Mount before the contract. */
export const docsPage = (path: string, document: OpenApiDocument): Router => {
  const router = express.Router();
  const options = {
    customSiteTitle: document.info.title,
    swaggerOptions: { url: `${path}/openapi.json`, persistAuthorization: true, validatorUrl: null },
  };
  const page = swaggerUi.setup(undefined, options);

  router.get(`${path}/openapi.json`, (_req, res) => {
    res.json(document);
  });
  router.get(path, docsHeaders, (req, res, next) => {
    // The page names its files relative to itself.
    if (req.path.endsWith('/')) page(req, res, next);
    else res.redirect(`${path}/`);
  });
  router.use(path, ...onlyFiles([docsHeaders, ...swaggerUi.serveFiles(undefined, options)]));
  return router;
};

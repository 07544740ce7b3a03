import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { rejectMethod } from '../../http/error-responses.ts';
import { PERMISSIONS_POLICY, sendStatic } from '../../http/static-content.ts';
import { type OpenApiDocument, toPublished } from '../openapi-document.ts';
import { renderErrorsPage } from './errors-page.ts';

const docsHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      // The style sheet of Swagger UI draws its icons from data: URLs.
      imgSrc: ["'self'", 'data:'],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      // The policies of swagger-ui-init.js and of Swagger UI's DOMPurify.
      trustedTypes: ['default', 'dompurify'],
    },
  },
});

const setPermissionsPolicy: RequestHandler = (_req, res, next) => {
  res.setHeader('Permissions-Policy', PERMISSIONS_POLICY);
  next();
};

const SWAGGER_UI = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css')));

/**
 * The files of the page and their directories. No other file of Swagger UI is served, and none from another
 * host.
 */
const FILES = {
  'swagger-ui.css': SWAGGER_UI,
  'swagger-ui-bundle.js': SWAGGER_UI,
  'favicon-32x32.png': SWAGGER_UI,
  'docs-page.css': import.meta.dirname,
  'errors-page.css': import.meta.dirname,
  'swagger-ui-init.js': import.meta.dirname,
};

const renderPage = (title: string): string =>
  readFileSync(new URL('docs-page.html', import.meta.url), 'utf8').replace('{{title}}', title);

/** The page refers to its files by relative URLs, so its own URL needs the slash. */
const requireSlash: RequestHandler = ({ originalUrl, baseUrl }, res, next) => {
  if (originalUrl.split('?', 1)[0]?.endsWith('/')) next();
  else res.redirect(`${baseUrl}/`);
};

/** The router is as strict about paths and methods as operation-router.ts. */
export const createDocsPage = (document: OpenApiDocument, cacheControl?: string): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const rejectOthers = rejectMethod('GET');
  const serve = (path: string, ...handlers: RequestHandler[]): void => {
    router.route(path).get(docsHeaders, setPermissionsPolicy, handlers).head(rejectOthers).all(rejectOthers);
  };
  serve(
    '/openapi.json',
    sendStatic('json', () => JSON.stringify(toPublished(document)), cacheControl),
  );
  serve(
    '/errors.html',
    sendStatic('html', () => renderErrorsPage(document), cacheControl),
  );
  serve(
    '/',
    requireSlash,
    sendStatic('html', () => renderPage(document.info.title), cacheControl),
  );
  for (const [name, root] of Object.entries(FILES))
    serve(
      `/${name}`,
      sendStatic(name, () => readFileSync(join(root, name)), cacheControl),
    );
  return router;
};

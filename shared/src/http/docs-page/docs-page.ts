import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { type OpenApiDocument, toPublished } from '../openapi-document.ts';
import { sendStatic } from '../static-content.ts';
import { renderErrorsPage } from './errors-page.ts';

const docsHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // The style sheet of Swagger UI draws its icons from data: URLs.
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

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

export const createDocsPage = (document: OpenApiDocument): Router => {
  const router = express.Router();
  router.get(
    '/openapi.json',
    docsHeaders,
    sendStatic('json', () => JSON.stringify(toPublished(document))),
  );
  router.get(
    '/errors.html',
    docsHeaders,
    sendStatic('html', () => renderErrorsPage(document)),
  );
  router.get(
    '/',
    docsHeaders,
    requireSlash,
    sendStatic('html', () => renderPage(document.info.title)),
  );
  for (const [name, root] of Object.entries(FILES))
    router.get(
      `/${name}`,
      docsHeaders,
      sendStatic(name, () => readFileSync(join(root, name))),
    );
  return router;
};

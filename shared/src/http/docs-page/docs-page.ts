import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { type OpenApiDocument, toPublished } from '../openapi-document.ts';
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

const sendPage =
  (html: string): RequestHandler =>
  (req, res) => {
    // The page refers to its files by relative URLs.
    if (req.originalUrl.split('?', 1)[0]?.endsWith('/')) res.type('html').send(html);
    else res.redirect(`${req.baseUrl}/`);
  };

/**
 * A file is compressed at the first request, and browsers keep it for an hour. The response is always
 * compressed, because every browser accepts that. The largest file has 1.7 MB, and compressing it for each
 * request would let a client keep the process busy.
 */
const sendFile = (name: string, root: string): RequestHandler => {
  let compressed: Buffer | undefined;
  return (_req, res) => {
    compressed ??= gzipSync(readFileSync(join(root, name)));
    res
      .type(name)
      .set({ 'Cache-Control': 'public, max-age=3600', 'Content-Encoding': 'gzip' })
      .send(compressed);
  };
};

export const createDocsPage = (document: OpenApiDocument): Router => {
  const router = express.Router();
  const published = toPublished(document);
  router.get('/openapi.json', docsHeaders, (_req, res) => {
    res.json(published);
  });
  const errorsPage = renderErrorsPage(document);
  router.get('/errors.html', docsHeaders, (_req, res) => {
    res.type('html').send(errorsPage);
  });
  router.get('/', docsHeaders, sendPage(renderPage(document.info.title)));
  for (const [name, root] of Object.entries(FILES)) router.get(`/${name}`, docsHeaders, sendFile(name, root));
  return router;
};

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { OpenApiDocument } from '../openapi-document.ts';
import { renderErrorsPage } from './errors-page.ts';

const docsHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // Swagger UI's style sheet draws its icons from data: URLs.
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

const SWAGGER_UI = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css')));

/** The page's files and their directories. No other file of Swagger UI is served, and none from another host. */
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

export const createDocsPage = (document: OpenApiDocument): Router => {
  const router = express.Router();
  router.get('/openapi.json', docsHeaders, (_req, res) => {
    res.json(document);
  });
  const errorsPage = renderErrorsPage(document);
  router.get('/errors.html', docsHeaders, (_req, res) => {
    res.type('html').send(errorsPage);
  });
  router.get('/', docsHeaders, sendPage(renderPage(document.info.title)));
  for (const [name, root] of Object.entries(FILES))
    router.get(`/${name}`, docsHeaders, (_req, res) => {
      res.sendFile(name, { root });
    });
  return router;
};

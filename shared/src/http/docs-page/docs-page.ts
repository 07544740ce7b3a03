import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import type { OpenApiDocument } from '../openapi-document.ts';

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

const directoryOf = (file: string): string => fileURLToPath(new URL('.', import.meta.resolve(file)));
const SWAGGER_UI = directoryOf('swagger-ui-dist/swagger-ui.css');

/** The page's files, and where they lie. Nothing else of Swagger UI's package is served, nothing comes from another host. */
const FILES = {
  'swagger-ui.css': SWAGGER_UI,
  'swagger-ui-bundle.js': SWAGGER_UI,
  'favicon-32x32.png': SWAGGER_UI,
  'docs-page.css': import.meta.dirname,
  'swagger-ui-init.js': import.meta.dirname,
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const renderPage = (title: string): string =>
  readFileSync(new URL('docs-page.html', import.meta.url), 'utf8').replace('{{title}}', escapeHtml(title));

const sendPage =
  (path: string, html: string): RequestHandler =>
  (req, res) => {
    // The page names its files relative to itself.
    if (req.path.endsWith('/')) res.type('html').send(html);
    else res.redirect(`${path}/`);
  };

/** Swagger UI at `path`, its document at `path`/openapi.json. Mount before the contract. */
export const docsPage = (path: string, document: OpenApiDocument): RequestHandler => {
  const paths = new Set(['', '/', '/openapi.json', ...Object.keys(FILES).map((name) => `/${name}`)]);
  const router = express.Router();
  router.get(`${path}/openapi.json`, docsHeaders, (_req, res) => {
    res.json(document);
  });
  router.get(path, docsHeaders, sendPage(path, renderPage(document.info.title)));
  for (const [name, root] of Object.entries(FILES))
    router.get(`${path}/${name}`, docsHeaders, (_req, res) => {
      res.sendFile(name, { root });
    });
  // Every request passes here: most are known at once to be none of these.
  return (req, res, next) => {
    if (req.path.startsWith(path) && paths.has(req.path.slice(path.length))) router(req, res, next);
    else next();
  };
};

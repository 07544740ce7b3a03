import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { listenLocally } from '@platform/shared/testing/local-server';
import { readReturningPage } from './pages-recipe.ts';

type Frontend = { port: number; close: () => Promise<void> };

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.ts': 'text/javascript',
};

/** The import map resolves bare specifiers. The client is served from its TypeScript sources. */
const IMPORTS = {
  '@platform/client': '/client/client.ts',
  '@platform/client/': '/client/',
  '@simplewebauthn/browser': '/simplewebauthn/index.js',
};
const CLIENT = new URL('.', import.meta.resolve('@platform/client'));
const SIMPLEWEBAUTHN = new URL('.', import.meta.resolve('@simplewebauthn/browser'));

const findFile = (path: string): URL | undefined => {
  if (path === '/' || path === '/administrator') return new URL('frontend/frontend.html', import.meta.url);
  if (path === '/returning') return new URL('frontend/returning.html', import.meta.url);
  if (path === '/sign-up') return new URL('frontend/sign-up.html', import.meta.url);
  if (path === '/frontend.js' || path === '/sign-up.js') return new URL(`frontend${path}`, import.meta.url);
  const [, name] = /^\/client\/([\w/-]+)(?:\.ts)?$/.exec(path) ?? [];
  // The entry `messages/de` is the file messages-de.ts.
  if (name !== undefined) return new URL(`${name.replace('/', '-')}.ts`, CLIENT);
  const [, script] = /^\/simplewebauthn\/((?:\w+\/)?\w+\.js)$/.exec(path) ?? [];
  return script === undefined ? undefined : new URL(script, SIMPLEWEBAUTHN);
};

const render = (text: string, type: string, gatewayUrl: string): string => {
  if (type === '.ts') return stripTypeScriptTypes(text);
  return text
    .replace('{{gatewayUrl}}', gatewayUrl)
    .replace('{{importMap}}', JSON.stringify({ imports: IMPORTS }));
};

const respond = async (path: string, gatewayUrl: string, res: ServerResponse): Promise<void> => {
  const file = findFile(path);
  if (file === undefined) return void res.writeHead(404).end();
  const type = extname(file.pathname);
  const [source, recipe] = [await readFile(file, 'utf8'), await readReturningPage()];
  const text = render(
    source.replace('{{recipe}}', () => recipe),
    type,
    gatewayUrl,
  );
  return void res.setHeader('Content-Type', TYPES[type] ?? 'text/plain').end(text);
};

/**
 * Serves the frontend on a separate origin. `gatewayUrl` is read at each page load, so the gateway may start
 * later.
 */
export const startFrontend = async (gatewayUrl: () => string): Promise<Frontend> => {
  const server = createServer((req, res) => {
    const [path = '/'] = (req.url ?? '/').split('?');
    respond(path, gatewayUrl(), res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  return await listenLocally(server);
};

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { listenLocally } from '@platform/shared/testing/local-server';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves the files of a folder, which may be built later. */
export const startStaticServer = async (directory: string): Promise<{ origin: string }> => {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    const path = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    readFile(join(directory, path)).then(
      (content) => res.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain').end(content),
      () => res.writeHead(404).end(),
    );
  });
  const { port } = await listenLocally(server);
  return { origin: `http://localhost:${port}` };
};

import { createServer } from 'node:http';
import { listenLocally } from '@platform/shared/testing/local-server';

export const SERVICE_PATH = '/api/v1/shop';

/** Tries every way in which a page could use the origin that it shares with the platform. */
const PAGE = `<!doctype html>
<title>Shop</title>
<meta http-equiv="refresh" content="0; url=${SERVICE_PATH}/refreshed">
<script>document.title = 'inline'; fetch('${SERVICE_PATH}/fetched')</script>
<script src="${SERVICE_PATH}/script.js"></script>
<img src="${SERVICE_PATH}/image" onerror="document.title = 'handler'">
<iframe src="${SERVICE_PATH}/frame"></iframe>
<form method="post" action="${SERVICE_PATH}/posted"><button>Send</button></form>`;

/** Starts another service of the marketplace, with one page. `requests` are those that the page causes. */
export const startService = async () => {
  const requests: string[] = [];
  const server = createServer(({ method, url }, res) => {
    if (url?.startsWith(`${SERVICE_PATH}/`)) requests.push(`${method} ${url}`);
    res.setHeader('Set-Cookie', ['basket=1; Path=/', 'CustomerRefreshToken=1; Path=/']);
    res.setHeader('Content-Security-Policy', 'sandbox allow-scripts allow-forms');
    if (url?.endsWith('.js')) res.setHeader('Content-Type', 'text/javascript').end(`document.title = 'file'`);
    else res.setHeader('Content-Type', 'text/html').end(PAGE);
  });
  const { port } = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, requests };
};

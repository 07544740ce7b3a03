import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { createCertificates } from '@platform/shared/testing/certificates';
import { listenLocally } from '@platform/shared/testing/local-server';

/** Starts a proxy that ends TLS, and passes every request on to the port, with the host that the browser named. */
export const startTlsProxy = async (getPort: () => string): ReturnType<typeof listenLocally> => {
  const { certificate, key, remove } = await createCertificates();
  const tls = { cert: await readFile(certificate), key: await readFile(key) };
  await remove();
  const server = createServer(tls, (req, res) => {
    const { method, url, headers } = req;
    const passed = request({ host: '127.0.0.1', port: getPort(), method, path: url, headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  });
  return await listenLocally(server);
};

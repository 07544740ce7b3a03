import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { createCertificates, hasOpenssl } from '@platform/shared/testing/certificates';
import { waitFor } from '@platform/shared/testing/poll';
import { startProcess } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

type Response = { status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string };

const send = (url: string, options: RequestOptions): Promise<Response> =>
  new Promise((resolve, reject) => {
    get(url, options, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    }).on('error', reject);
  });

describe('HTTPS front', () => {
  const directory = useTemporaryDirectory();
  const start = (args: string[]) =>
    startProcess(['run.mjs', 'dev/tls-front.ts', ...args], {
      environment: { ...process.env, DATA_DIR: directory.path, TLS_PORT: '0' },
    });

  it('forwards requests, keeps Secure cookies, and removes Strict-Transport-Security', async function () {
    if (!hasOpenssl()) this.skip();
    const gateway = createServer((req, res) => {
      res.setHeader('Strict-Transport-Security', 'max-age=1').setHeader('Set-Cookie', 'a=b; Secure');
      res.writeHead(201).end(`${req.method} ${req.url} ${req.headers.host}`);
    }).listen(0, '127.0.0.1');
    const certificates = await createCertificates();
    await waitFor('the fake gateway listens', () => gateway.listening);
    const address = gateway.address();
    const gatewayUrl = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
    writeFileSync(join(directory.path, 'stack.json'), JSON.stringify({ gatewayUrl }));
    const front = start([certificates.certificate, certificates.key]);
    const port = await waitFor('the front listens', () => /localhost:(\d+)/.exec(front.output())?.[1]);
    const options = { ca: readFileSync(certificates.ca), agent: false as const };
    const response = await send(`https://127.0.0.1:${port}/api/?a=1`, options);
    expect(response).to.include({ status: 201, body: `GET /api/?a=1 127.0.0.1:${port}` });
    expect(response.headers['set-cookie']).to.deep.equal(['a=b; Secure']);
    expect(response.headers).to.not.have.property('strict-transport-security');
    await new Promise((resolve) => gateway.close(resolve));
    expect((await send(`https://127.0.0.1:${port}/`, options)).status).to.equal(502);
    await front.stop();
    await certificates.remove();
  });

  it('says in one sentence what is missing', async () => {
    const run = async (...args: string[]) => {
      const front = start(args);
      expect((await front.waitForExit()).code).to.equal(1);
      return front.output().trim();
    };
    expect(await run()).to.match(/^Usage: .*<certificate> <key>$/);
    expect(await run('no.crt', 'no.key')).to.match(
      /^The certificate or key cannot be read: .*no\.crt'$|^No stack is running: .*$/,
    );
  });
});

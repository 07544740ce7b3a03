import { basicAuth } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { createErrorHandler } from '../../http/error-responses.ts';
import { createRequestState } from '../../http/request-logging.ts';
import { createLog, type Log } from '../../log/log.ts';
import { createServiceAuthentication } from './service-credentials.ts';

const OLD = 'old-secret-0123456789-0123456789-0123456789';
const NEW = 'new-secret: 0123456789-0123456789-0123456789';

describe('credentials of other services', () => {
  const start = (
    log: Pick<Log, 'warn'> = createLog({ service: 'test', level: 'silent' }),
    ofShipping = 'secret-of-shipping-0123456789-0123456789',
  ) => {
    const authenticate = createServiceAuthentication(
      new Map([
        ['projects', [NEW, OLD]],
        ['payments', ['secret-of-payments-0123456789-0123456789']],
        ['shipping', [ofShipping]],
        ['pages', []],
      ]),
      log,
    );
    const app = express().enable('trust proxy');
    app.use(createRequestState, async (req, res) => res.json(await authenticate(req, res)));
    app.use(createErrorHandler(createLog({ service: 'test', level: 'silent' })));
    return async (authorization?: string, address = '192.0.2.1') => {
      const get = request(app).get('/').set('X-Forwarded-For', address);
      const { status, body, headers } = await (authorization ? get.set('Authorization', authorization) : get);
      return { status, service: body.service, code: body.code, headers };
    };
  };
  const wrong = basicAuth('projects', `${NEW}x`);

  it('are a name and one of its secrets', async () => {
    const send = start();
    for (const secret of [NEW, OLD])
      expect(await send(basicAuth('projects', secret))).to.include({ status: 200, service: 'projects' });
  });

  it('may be form-urlencoded, as clients of OAuth send them', async () => {
    const secret = 'a+b/c=d%20e:f &g~0123456789-0123456789';
    const send = start(undefined, secret);
    const encode = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);
    for (const given of [secret, encode(secret), encodeURIComponent(secret)])
      expect(await send(basicAuth('shipping', given))).to.include({ status: 200, service: 'shipping' });
    expect((await send(basicAuth('shipping', encode(encode(secret))))).status).to.equal(401);
    expect((await send(basicAuth('shipping', '%'))).status).to.equal(401);
  });

  it('are rejected when the name or the secret is missing or wrong', async () => {
    const send = start();
    const encoded = Buffer.from('projects').toString('base64');
    for (const given of [
      undefined,
      `Bearer ${NEW}`,
      `Basic ${encoded}`,
      wrong,
      basicAuth('payments', NEW),
      basicAuth('pages', ''),
      basicAuth('unknown', NEW),
      basicAuth('', NEW),
    ]) {
      const { headers, ...rejected } = await send(given);
      expect(rejected).to.include({ status: 401, code: 'SERVICE_UNKNOWN' });
      expect(headers['www-authenticate']).to.equal('Basic');
    }
  });

  it('are limited to 60 wrong secrets a minute, by name and network', async () => {
    const send = start();
    for (let count = 0; count < 60; count += 1) expect((await send(wrong)).status).to.equal(401);
    const { status, code, headers } = await send(wrong);
    expect([status, code]).to.deep.equal([429, 'RATE_LIMITED']);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect((await send(wrong, '192.0.2.2')).status).to.equal(401);
    expect((await send(basicAuth('payments', NEW))).status).to.equal(401);
  });

  it('are limited to eight times as many wrong secrets from an IPv6 /48', async () => {
    const send = start();
    const sendFrom = (network: number) => send(wrong, `2001:db8:1:${network}::1`);
    for (let network = 1; network <= 8; network += 1) {
      for (let count = 0; count < 60; count += 1) expect((await sendFrom(network)).status).to.equal(401);
      // These count for the /64 only.
      for (let count = 0; count < 10; count += 1) expect((await sendFrom(network)).status).to.equal(429);
    }
    expect((await sendFrom(9)).status).to.equal(429);
    expect((await send(basicAuth('projects', NEW), '2001:db8:1:9::1')).status).to.equal(200);
    expect((await send(wrong, '2001:db8:2:9::1')).status).to.equal(401);
  });

  it('are accepted with the correct secret, however many wrong ones the network has sent', async () => {
    const send = start();
    for (let count = 0; count < 70; count += 1) {
      await send(wrong);
      expect((await send(basicAuth('projects', NEW))).status).to.equal(200);
    }
    expect((await send(wrong)).status).to.equal(429);
  });

  it('have one limit for all unknown names', async () => {
    const send = start();
    for (let count = 0; count < 61; count += 1)
      expect((await send(basicAuth(`name-${count}`, NEW))).status).to.equal(count < 60 ? 401 : 429);
  });

  it('are logged by name and network if the secret is wrong, until the limit', async () => {
    const lines: object[] = [];
    const send = start({ warn: (fields: object) => lines.push(fields) });
    await send(basicAuth('projects', NEW));
    await send(wrong, '2001:db8::1');
    await send(basicAuth(NEW, 'projects'));
    const unknown = { service: 'unknown', network: '192.0.2.1' };
    expect(lines).to.deep.equal([{ service: 'projects', network: '2001:db8:0:0::/64' }, unknown]);
    for (let count = 0; count < 70; count += 1) await send(wrong);
    expect(lines.length).to.equal(2 + 60);
  });
});

import { basic } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { createErrorHandler } from '../../http/error-responses.ts';
import { createRequestState } from '../../http/request-logging.ts';
import { createLog } from '../../log/log.ts';
import { createServiceAuthentication } from './service-credentials.ts';

const OLD = 'old-secret-0123456789-0123456789-0123456789';
const NEW = 'new-secret: 0123456789-0123456789-0123456789';

describe('credentials of other services', () => {
  const start = () => {
    const authenticate = createServiceAuthentication(
      new Map([
        ['projects', [NEW, OLD]],
        ['payments', ['secret-of-payments-0123456789-0123456789']],
        ['pages', []],
      ]),
    );
    const app = express().enable('trust proxy');
    app.use(createRequestState, async (req, res) => res.json(await authenticate(req)));
    app.use(createErrorHandler(createLog({ service: 'test', level: 'silent' })));
    return async (authorization?: string, address = '192.0.2.1') => {
      const get = request(app).get('/').set('X-Forwarded-For', address);
      const { status, body, headers } = await (authorization ? get.set('Authorization', authorization) : get);
      return { status, service: body.service, code: body.code, headers };
    };
  };
  const wrong = basic('projects', `${NEW}x`);

  it('are a name and one of its secrets', async () => {
    const send = start();
    for (const secret of [NEW, OLD])
      expect(await send(basic('projects', secret))).to.include({ status: 200, service: 'projects' });
  });

  it('are rejected when the name or the secret is missing or wrong', async () => {
    const send = start();
    const encoded = Buffer.from('projects').toString('base64');
    for (const given of [
      undefined,
      `Bearer ${NEW}`,
      `Basic ${encoded}`,
      wrong,
      basic('payments', NEW),
      basic('pages', ''),
      basic('unknown', NEW),
      basic('', NEW),
    ]) {
      const { headers, ...rejected } = await send(given);
      expect(rejected).to.include({ status: 401, code: 'SERVICE_UNKNOWN' });
      expect(headers['www-authenticate']).to.equal('Basic');
    }
  });

  it('are limited by network after ten wrong secrets, including the correct one; other services are not', async () => {
    const send = start();
    for (let count = 0; count < 10; count += 1) expect((await send(wrong)).status).to.equal(401);
    for (const given of [wrong, basic('projects', NEW)]) {
      const { status, code, headers } = await send(given);
      expect([status, code]).to.deep.equal([429, 'RATE_LIMITED']);
      expect(Number(headers['retry-after'])).to.be.within(1, 60);
      expect((await send(given, '192.0.2.2')).status).to.equal(given === wrong ? 401 : 200);
    }
    const payments = basic('payments', 'secret-of-payments-0123456789-0123456789');
    expect((await send(payments)).status).to.equal(200);
  });

  it('have one limit for all unknown names', async () => {
    const send = start();
    for (let count = 0; count < 11; count += 1)
      expect((await send(basic(`name-${count}`, NEW))).status).to.equal(count < 10 ? 401 : 429);
  });
});

import { waitFor } from '@platform/shared/testing/poll';
import { expectError, send } from '@platform/shared/testing/responses';
import {
  basicAuth,
  createServiceClient,
  SERVICE,
  SERVICE_ENVIRONMENT,
} from '@platform/shared/testing/service-client';
import { sendHead } from '@platform/shared/testing/unfinished-request';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const PATH = '/internal/v1/introspect';
const MARKET = { name: 'market', secret: 'market-secret-of-the-tests-000000000000009' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe("a service's share of introspections", () => {
  const service = useAuthService({
    ...SERVICE_ENVIRONMENT,
    SERVICES: `${SERVICE.name},${MARKET.name}`,
    SERVICE_MARKET_SECRET: MARKET.secret,
  });
  const sendAs = ({ name, secret }: typeof SERVICE, body = 'token=x') =>
    send(service().url, 'POST', PATH, { headers: { ...FORM, Authorization: basicAuth(name, secret) }, body });

  it('is 32 in flight; the order of errors is 413, secret, share, scope, contract', async () => {
    const client = service().as('customer');
    const token = (await client.createDevice()).accessToken;
    const headers = { ...FORM, Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
    const held = Array.from({ length: 32 }, () =>
      sendHead(service().url, { method: 'POST', path: PATH, headers }, `token=${token}`),
    );
    const rejected = await waitFor('the share is full', async () => {
      const response = await sendAs(SERVICE, 'token=');
      return response.status === 429 && response;
    });
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(rejected.headers['retry-after']).to.equal('1');
    expectError(await sendAs({ ...SERVICE, secret: 'x' }, 'x'.repeat(102_401)), 413, 'BODY_TOO_LARGE');
    expectError(await sendAs({ ...SERVICE, secret: 'x' }), 401, 'SERVICE_UNKNOWN');
    expectError(await sendAs(MARKET, 'token='), 403, 'SCOPE_MISSING');
    const rejections = { caller: SERVICE.name, limit: 'requests' };
    expect(await service().metric('service_share_rejections_total', rejections)).to.be.at.least(1);
    expect(new Set(await Promise.all(held.map(({ finish }) => finish())))).to.deep.equal(new Set([200]));
    expectError(await sendAs(SERVICE, 'token='), 400, 'VALIDATION_FAILED');
    const { body } = await createServiceClient(service().url).introspectToken({ form: { token } });
    expect(body).to.include({ active: true });
  });
});

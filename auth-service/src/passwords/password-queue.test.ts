import { availableParallelism } from 'node:os';
import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const QUEUE_LIMIT = 2;
/** The service computes a hash on each core, and queues this many more. */
const CAPACITY = availableParallelism() + QUEUE_LIMIT;
const EXCESS = 12;

const range = (length: number) => Array.from({ length }, (_, index) => index);

describe('password queue overload', () => {
  const service = useAuthService({ BCRYPT_COST: '11', PASSWORD_QUEUE_LIMIT: String(QUEUE_LIMIT) });

  const attempt = (index: number): Promise<HttpResponse> => {
    const client = service().as(index % 2 ? CUSTOMER : EMPLOYEE);
    return index % 3
      ? client.signIn({ fingerprint: 'device', body: { email: uniqueEmail(), password: PASSWORD } })
      : client.signUp({ body: { email: uniqueEmail(), password: PASSWORD } });
  };

  it('returns 503 at once to some requests, before the first of the others is served', async () => {
    const responses: HttpResponse[] = [];
    await Promise.all(range(CAPACITY + EXCESS).map(async (index) => responses.push(await attempt(index))));

    const rejected = responses.filter(({ status }) => status === 503);
    const served = responses.filter(({ status }) => status !== 503);
    expect(rejected).to.have.length.of.at.least(EXCESS);
    expect(served).to.have.length.of.at.least(2);
    for (const response of rejected) {
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(response.headers['retry-after'])).to.be.at.least(1);
    }
    for (const { status } of served) expect(status).to.be.oneOf([201, 401]);
    // On a busy machine, more requests are rejected later, after three seconds in the queue.
    expect(rejected).to.include.members(responses.slice(0, EXCESS));
  });

  it('serves the next request when the queue is empty', async () => {
    await Promise.all(range(CAPACITY + 4).map(attempt));
    const account = await service().as('customer').createAccount();
    await service().as('customer').openDevice(account);
  });
});

describe('password hashing', () => {
  const service = useAuthService({ BCRYPT_COST: '12' });

  it('does not block other requests', async () => {
    const client = service().as('customer');
    const device = await client.createDevice();
    let isHashed = false;
    const signIn = client
      .signIn({ fingerprint: 'device', body: { email: uniqueEmail(), password: PASSWORD } })
      .then(() => {
        isHashed = true;
      });
    let responseCount = 0;
    while (!isHashed) {
      expect((await client.me(device)).status).to.equal(200);
      expect((await send(service().url, 'GET', '/api/v1/auth/me')).status).to.equal(401);
      responseCount += 1;
    }
    await signIn;
    // A hash takes about a quarter of a second. Hashing in the same thread would let one request pass each tenth of a
    // second.
    expect(responseCount).to.be.above(6);
  });
});

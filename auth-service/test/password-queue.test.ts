import { availableParallelism } from 'node:os';
import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

const QUEUE_LIMIT = 2;
/** A hash for each core, and what may wait. */
const CAPACITY = availableParallelism() + QUEUE_LIMIT;

const range = (length: number) => Array.from({ length }, (_, index) => index);

describe('When more passwords come than can be hashed', () => {
  const service = useAuthService({ BCRYPT_COST: '11', PASSWORD_QUEUE_LIMIT: String(QUEUE_LIMIT) });

  const attempt = (index: number): Promise<HttpResponse> => {
    const client = service().client(index % 2 ? CUSTOMER : EMPLOYEE);
    return index % 3
      ? client.signIn({ email: uniqueEmail(), password: PASSWORD }, 'device')
      : client.signUp({ email: uniqueEmail(), password: PASSWORD });
  };

  it('some are refused with 503 at once, before the first of the others is served', async () => {
    const answers: HttpResponse[] = [];
    await Promise.all(range(CAPACITY + 12).map(async (index) => answers.push(await attempt(index))));

    const refused = answers.filter(({ status }) => status === 503);
    const served = answers.filter(({ status }) => status !== 503);
    expect(refused).to.have.length.of.at.least(12);
    expect(served).to.have.length.of.at.least(2);
    for (const answer of refused) {
      expectError(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(answer.headers['retry-after'])).to.be.at.least(1);
    }
    for (const { status } of served) expect(status).to.be.oneOf([201, 401]);
    expect(answers.slice(0, refused.length)).to.have.members(refused);
  });

  it('the next one is served as soon as they are through', async () => {
    await Promise.all(range(CAPACITY + 4).map(attempt));
    const account = await service().client(CUSTOMER).createAccount();
    await service().client(CUSTOMER).openDevice(account);
  });
});

describe('While passwords are being hashed', () => {
  const service = useAuthService({ BCRYPT_COST: '11' });

  it('other requests are answered', async () => {
    const client = service().client(CUSTOMER);
    const device = await client.openDevice(await client.createAccount());
    const signIn = () => client.signIn({ email: uniqueEmail(), password: PASSWORD }, 'device');
    let hashed = 0;
    const signIns = range(4).map(async () => {
      await signIn();
      hashed += 1;
    });
    let answered = 0;
    while (hashed === 0) {
      expect((await client.me(device)).status).to.equal(200);
      expect((await send(service().url, 'GET', '/api/v1/auth/me')).status).to.equal(401);
      answered += 1;
    }
    await Promise.all(signIns);
    // A hash takes some 100 ms; requests that waited for them would come through one or two at a time.
    expect(answered).to.be.above(4);
  });
});

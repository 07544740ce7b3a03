import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { breakMailQueues, useCodeService } from '../code-service.ts';
import { createOwnAccountClient, requestCode } from '../own-account/own-account-client.ts';

describe('e-mail change without Redis', () => {
  const service = useCodeService({ REDIS_URL: 'redis://127.0.0.1:1' });

  it('returns 503 and mails nothing, while a deletion succeeds', async () => {
    const client = service().client(CUSTOMER);
    const own = createOwnAccountClient(client);
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    const newEmail = uniqueEmail();
    expectError(await own.requestEmailChange(device, newEmail), 503, 'SERVICE_UNAVAILABLE');
    expectError(await own.confirmEmailChange(device, '123456'), 503, 'SERVICE_UNAVAILABLE');
    expect(await service().outboxFor(account.email)).to.deep.equal([]);
    expect((await client.me(device)).body.user.email).to.equal(account.email);
    expect((await own.deleteAccount(device)).status).to.equal(204);
  });
});

describe('e-mail change when only the mail queue fails', () => {
  const service = useCodeService();

  it('returns 503, and leaves neither a notice nor a lock nor a code', async () => {
    const { redis } = service();
    const client = service().client(CUSTOMER);
    const own = createOwnAccountClient(client);
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    const newEmail = uniqueEmail();
    const before = Object.keys(await redis.dump());
    const repair = await breakMailQueues(redis);
    expectError(await own.requestEmailChange(device, newEmail), 503, 'SERVICE_UNAVAILABLE');
    await repair();
    const left = Object.keys(await redis.dump()).filter((key) => !before.includes(key));
    expect(left.filter((key) => !key.startsWith('bull:'))).to.deep.equal([]);
    expect(await service().outboxFor(account.email)).to.deep.equal([]);

    const code = await requestCode(service(), own, device, newEmail);
    expect((await own.confirmEmailChange(device, code)).status).to.equal(200);
    await client.openDevice({ email: newEmail, password: PASSWORD });
  });
});

import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { readContract } from '@platform/shared/testing/contract-client';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { uniqueLabel, useTestBench } from '../testing/use-test-bench.ts';

describe('API of the test bench', () => {
  const bench = useTestBench();

  it('takes no operation without its secret', async () => {
    const { send } = createHttpClient(bench().testBench.url);
    const { operations } = await readContract('test-bench');
    const basic = `Basic ${Buffer.from(`projects:${bench().testBench.secret}`).toString('base64')}`;
    const wrong = [
      undefined,
      'Bearer wrong',
      `Bearer ${bench().testBench.secret}x`,
      basic,
      'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
    ];
    for (const { method, route } of operations)
      for (const Authorization of wrong) {
        const path = route.replace(/:\w+/g, 'any');
        const response = await send({ method: method.toUpperCase(), path, headers: { Authorization } });
        expectError(response, 401, 'SECRET_INVALID');
        expect(response.headers['www-authenticate']).to.equal('Bearer');
      }
  });

  it('is reached as localhost or as an address only', async () => {
    const { send } = createHttpClient(bench().testBench.url);
    const response = await send({ path: '/openapi.json', headers: { Host: 'evil.example' } });
    expectError(response, 421, 'HOST_UNKNOWN');
    const { status, body } = await send({ path: '/openapi.json' });
    expect({ status, title: body.info.title }).to.deep.equal({ status: 200, title: 'Test bench' });
  });

  it('waits for a mail to an address, and returns its code and where to go on', async () => {
    const to = uniqueEmail();
    const label = uniqueLabel();
    const post = (path: string, body: object) =>
      createHttpClient(bench().gatewayUrl).send({
        method: 'POST',
        path: `/api/v1/customers/auth/${path}`,
        headers: { 'X-Test-Label': label },
        body,
      });
    const waiting = bench().client.listMails({ query: { to, mail: 'reset-password-code', wait: 30 } });
    await post('sign-up', { email: to, password: PASSWORD });
    await post('reset-password/email/code/send', { email: to });
    const { status, body } = await waiting;
    expect(status).to.equal(200);
    expect(body.data).to.have.length(1);
    const [mail] = body.data;
    expect(mail).to.include({ mail: 'reset-password-code', to });
    // The link leads through the proxy.
    const { port } = new URL(bench().gatewayUrl);
    expect(new URL(mail.link)).to.include({
      host: `localhost:${port}`,
      pathname: '/account/customer/reset-password',
    });
    expect(mail.code).to.match(/^\d{6}$/);
    expect(mail.from).to.match(/^Marketplace <.+@.+>$/);
    expect(body.next).to.equal(mail.id);
    const later = await bench().client.listMails({ query: { to, after: body.next } });
    expect(later.body).to.deep.equal({ data: [], next: body.next });
  });

  it('reads the mails of a label or of an address, and not of both', async () => {
    const { listMails } = bench().client;
    for (const query of [{}, { to: uniqueEmail(), label: uniqueLabel() }])
      expectError(await listMails({ query }), 400, 'VALIDATION_FAILED', '/query/label');
    expectError(
      await listMails({ query: { to: uniqueEmail(), wait: 31 } }),
      400,
      'VALIDATION_FAILED',
      '/query/wait',
    );
  });
});

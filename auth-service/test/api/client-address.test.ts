import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

// The service trusts X-Forwarded-For from this machine, where the gateway and the tests run.
const cases: [string, string | undefined, string][] = [
  ['is that of the caller when no proxy names one', undefined, '127.0.0.1'],
  ['is the one that our proxy names', '203.0.113.7', '203.0.113.7'],
  ['may be one of IPv6', '2001:db8::7', '2001:db8::7'],
  ['is not what the client itself put before it', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['is found behind several proxies of ours', '203.0.113.7, 10.0.0.3, 192.168.1.1', '203.0.113.7'],
  ['is shown in the short form of IPv4', '::ffff:203.0.113.7', '203.0.113.7'],
  ['is shown without a port', '203.0.113.7:40001', '203.0.113.7'],
  ['is that of our proxy when it names none', 'unknown', '127.0.0.1'],
];

describe('session address', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      for (const [name, header, address] of cases)
        it(name, async () => {
          const client = service().client(kind);
          const { email, password } = await client.createAccount();
          const headers = { 'X-Forwarded-For': header };
          const { body } = await client.signIn({ email, password }, 'device', headers);
          expect(body.session.ip).to.equal(address);
        });

      it('stays the address of the sign-in after a refresh from another address', async () => {
        const client = service().client(kind);
        const device = await client.openDevice(await client.createAccount());
        const response = await client.refresh(device, { 'X-Forwarded-For': '203.0.113.7' });
        const { body } = await client.me(client.afterRefresh(device, response));
        expect(body.session.ip).to.equal('127.0.0.1');
      });
    });
});

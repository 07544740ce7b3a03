import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import {
  type Attempt,
  attemptSignIn,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  getAddress,
  range,
} from '../../testing/sign-in-attempts.ts';

/** Returns an address in the numbered IPv6 /64 of one /48. */
const inNetwork = (network: number, index = 1): string =>
  `2001:db8:0:${network.toString(16)}::${index.toString(16)}`;

describe('sign-in throttle by client network', () => {
  const service = useAuthService();
  const signInCustomer = (what: Attempt) => attemptSignIn(service(), CUSTOMER, what);
  const newAccount = () => service().as('customer').createAccount();
  const fail = async (email: string, from: string) =>
    expectInvalidCredentials(await signInCustomer({ email, from }));

  it('counts the IPv6 addresses of one /64 as one network', async () => {
    const { email, password } = await newAccount();
    for (const index of range(FREE_ATTEMPTS)) await fail(email, inNetwork(1, index + 1));
    expectThrottled(await signInCustomer({ email, from: inNetwork(1, 100) }), 1);
    expectThrottled(await signInCustomer({ email, password, from: '2001:DB8:0:1:ffff:ffff:ffff:ffff' }), 1);
  });

  it('counts another /64 and another IPv4 address separately', async () => {
    const account = await newAccount();
    for (const _ of range(FREE_ATTEMPTS)) await fail(account.email, inNetwork(1));
    // The success clears only the failures of the common /48 and of its own /64.
    expect((await signInCustomer({ ...account, from: inNetwork(2) })).status).to.equal(200);
    expect((await signInCustomer({ ...account, from: getAddress(1) })).status).to.equal(200);
    expectThrottled(await signInCustomer({ email: account.email, from: inNetwork(1) }), 1);
  });

  it('counts the /48 too, with forty free failures', async () => {
    const { email, password } = await newAccount();
    for (const network of range(8))
      for (const _ of range(FREE_ATTEMPTS)) await fail(email, inNetwork(network));
    expectThrottled(await signInCustomer({ email, from: inNetwork(8) }), 1);
    expectThrottled(await signInCustomer({ email, password, from: inNetwork(9) }), 1);
    expect((await signInCustomer({ email, password, from: '2001:db8:1::1' })).status).to.equal(200);
  });
});

import { expect } from 'chai';
import { takeInvitationCode } from './invitation-code.ts';

describe('invitation code in the address', () => {
  const { window, history } = globalThis;
  after(() => void Object.assign(globalThis, { window, history }));

  for (const [hash, code] of [
    ['#ABCD', 'ABCD'],
    ['#AB%20CD', 'AB CD'],
    ['#%', '%'],
    ['#ABCD%E0%A4%A', 'ABCD%E0%A4%A'],
  ] as const)
    it(`is taken out of the address before it is decoded (${hash})`, () => {
      const addresses: string[] = [];
      const replaceState = (_state: unknown, _title: string, address: string) => addresses.push(address);
      const location = { pathname: '/console/invitation', hash };
      Object.assign(globalThis, { window: { location }, history: { replaceState } });
      expect([takeInvitationCode(), addresses]).to.deep.equal([code, ['/console/invitation']]);
    });
});

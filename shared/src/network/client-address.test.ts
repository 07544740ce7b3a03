import { isIP } from 'node:net';
import { expect } from 'chai';
import { normaliseAddress, toClientNetworks, toClientSubnet } from './client-address.ts';

describe('client address', () => {
  for (const [text, address] of [
    ['9.9.9.10:40001', '9.9.9.10'],
    ['[9.9.9.10]:40001', '9.9.9.10'],
    ['::ffff:9.9.9.10', '9.9.9.10'],
    ['::FFFF:909:90A', '9.9.9.10'],
    ['[::ffff:9.9.9.10]:443', '9.9.9.10'],
    ['0:0:0:0:0:ffff:0909:090a%eth0', '9.9.9.10'],
    ['2001:0DB8:0:0:0:0:0:0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['2001:db8::1:443', '2001:db8::1:443'],
  ] as const)
    it(`normalises ${text} to ${address}`, () => {
      expect(normaliseAddress(text)).to.equal(address);
    });

  for (const text of [
    '',
    'unknown',
    '9.9.9',
    '9.9.9.10:',
    '9.9.9.10:x',
    '9.9.9.010',
    '[::1',
    '::1]:443',
    '[]:1',
  ])
    it(`leaves '${text}', which is no address, unchanged`, () => {
      expect(isIP(normaliseAddress(text))).to.equal(0);
      expect(normaliseAddress(text)).to.equal(text);
    });
});

describe('client network', () => {
  for (const [address, ...networks] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:40001', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:0DB8:0001:0002::9]:443', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['::192.0.2.1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ] as const)
    it(`counts ${address} as ${networks.join(' and ')}`, () => {
      expect(toClientNetworks(address)).to.deep.equal(networks);
      expect(toClientSubnet(address)).to.equal(networks[0]);
    });
});

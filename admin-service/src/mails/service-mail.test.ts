import { expect } from 'chai';
import { type LinkTargets, toLinkUrl } from './service-mail.ts';

const PRODUCTION: LinkTargets = {
  returnOrigins: ['https://shop.example.com:8443'],
  platformOrigin: 'https://example.com',
  allowsLoopback: false,
};
const DEVELOPMENT: LinkTargets = { returnOrigins: [], platformOrigin: undefined, allowsLoopback: true };

const ALLOWED: [url: string, targets: LinkTargets, expected: string][] = [
  ['https://example.com', PRODUCTION, 'https://example.com/'],
  ['https://example.com:443/a?b=1#c', PRODUCTION, 'https://example.com/a?b=1#c'],
  ['HTTPS://EXAMPLE.COM/A', PRODUCTION, 'https://example.com/A'],
  ['https://shop.example.com:8443/bids', PRODUCTION, 'https://shop.example.com:8443/bids'],
  [
    'https://example.com/account/customer/?language=de',
    PRODUCTION,
    'https://example.com/account/customer/?language=de',
  ],
  ['https://example.com/accounting#a', PRODUCTION, 'https://example.com/accounting#a'],
  ['https://shop.example.com:8443/api/bids#code', PRODUCTION, 'https://shop.example.com:8443/api/bids#code'],
  // Some mail programs would read another host in the original.
  ['https:\\\\example.com\\@evil.example', PRODUCTION, 'https://example.com/@evil.example'],
  ['http://localhost:5173/a', DEVELOPMENT, 'http://localhost:5173/a'],
  ['https://127.0.0.1/', DEVELOPMENT, 'https://127.0.0.1/'],
  ['http://[::1]:3000/', DEVELOPMENT, 'http://[::1]:3000/'],
];

const REJECTED: [url: string, targets: LinkTargets][] = [
  ['http://example.com', PRODUCTION],
  ['https://example.com:8443', PRODUCTION],
  ['https://shop.example.com', PRODUCTION],
  ['https://example.com.evil.example', PRODUCTION],
  ['https://evil.example/https://example.com', PRODUCTION],
  ['https://ada@example.com', PRODUCTION],
  ['https://:secret@example.com', PRODUCTION],
  ['https://example.com@evil.example', PRODUCTION],
  ['blob:https://example.com/a', PRODUCTION],
  ['javascript://example.com/%0aalert(1)', PRODUCTION],
  ['data:text/html,<b>', PRODUCTION],
  ['mailto:ada@example.com', PRODUCTION],
  ['//example.com', PRODUCTION],
  ['/bids', PRODUCTION],
  ['example.com', PRODUCTION],
  ['https://', PRODUCTION],
  ['http://localhost', PRODUCTION],
  ['https://example.com/api/v1/bids/redirect', PRODUCTION],
  ['https://example.com/api', PRODUCTION],
  ['https://example.com//%61PI/v1/bids', PRODUCTION],
  ['https://example.com/a/../api/v1', PRODUCTION],
  ['https://example.com/console/invitation', PRODUCTION],
  ['https://example.com/account/customer/sign-in#code=123456&email=ada@example.com', PRODUCTION],
  ['https://example.com/account/customer/sign-in%23code=123456', PRODUCTION],
  ['https://example.com/account/customer/?returnTo=/orders', PRODUCTION],
  ['https://example.com/%E0%A4%A', PRODUCTION],
  ['http://localhost.evil.example', DEVELOPMENT],
  ['http://ada@localhost', DEVELOPMENT],
  ['ftp://localhost', DEVELOPMENT],
  ['http://192.168.0.1', DEVELOPMENT],
  ['https://example.com', DEVELOPMENT],
];

describe('link of a mail of another service', () => {
  for (const [url, targets, expected] of ALLOWED)
    it(`may be ${url}`, () => {
      expect(toLinkUrl(url, targets)).to.equal(expected);
    });

  for (const [url, targets] of REJECTED)
    it(`must not be ${url}${targets.allowsLoopback ? ' in development' : ''}`, () => {
      expect(() => toLinkUrl(url, targets))
        .to.throw()
        .with.nested.property('details[0]')
        .include({ path: '/body/action/url', rule: 'link-origin' });
    });
});

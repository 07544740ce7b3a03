import { expect } from 'chai';
import { type LinkTargets, toLinkUrl } from './service-mail.ts';

const PRODUCTION: LinkTargets = {
  origins: ['https://example.com', 'https://shop.example.com:8443'],
  allowsLoopback: false,
};
const DEVELOPMENT: LinkTargets = { origins: [], allowsLoopback: true };

const ALLOWED: [url: string, targets: LinkTargets, expected: string][] = [
  ['https://example.com', PRODUCTION, 'https://example.com/'],
  ['https://example.com:443/a?b=1#c', PRODUCTION, 'https://example.com/a?b=1#c'],
  ['HTTPS://EXAMPLE.COM/A', PRODUCTION, 'https://example.com/A'],
  ['https://shop.example.com:8443/bids', PRODUCTION, 'https://shop.example.com:8443/bids'],
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

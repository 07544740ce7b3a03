import { expect } from 'chai';
import { parseReturnTo, splitPlace } from './return-to.ts';

const PAGE = 'https://accounts.example.com';
const SHOP = 'https://shop.example.com';
const parse = (value: string | null) => parseReturnTo(value, PAGE, [SHOP])?.href;
const parsePlace = (place: string) => parse(new URLSearchParams(splitPlace(place).query).get('returnTo'));

const HOSTILE = [
  'https://evil.example',
  'http://accounts.example.com',
  'http://shop.example.com/',
  'https://shop.example.com:8443/',
  'https://accounts.example.com:444/',
  'https://evil.shop.example.com/',
  'https://shop.example.com.evil.example/',
  'https://shop-example.com/',
  'https://example.com/',
  'https://shop.example.com@evil.example/',
  'https://shop.example.com:x@evil.example/',
  'https://user@shop.example.com/',
  'https://user:password@accounts.example.com/',
  '//evil.example',
  '///evil.example',
  '////evil.example/path',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '\u0001//evil.example',
  'https:\\\\evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://accounts.example.com/0d6f',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'ftp://shop.example.com/',
  'ws://accounts.example.com/',
  'mailto:ada@example.com',
  'https://shоp.example.com/', // a Cyrillic o
  'https://shop.example。com.evil.example/',
  'https://ｅvil.example/',
  'https://[::1]/',
  'https://%65vil.example/',
  'https://shop.example.com%2eevil.example/',
  'https://shop.example.com%00.evil.example/',
  'https://',
  '//',
  '/api',
  '/api/',
  '/api/v1/customers/auth/sign-out',
  'https://accounts.example.com/api/v1/docs/',
  '/account/../api/v1',
  '/account/%2e%2e/api/v1',
  '/%61pi/v1',
  '/API/v1',
  '/%2Fapi/v1',
  '/.//api/v1',
  '/%ff',
];

describe('returnTo of the account pages', () => {
  for (const value of HOSTILE)
    it(`ignores ${JSON.stringify(value)}`, () => {
      expect(parse(value)).to.equal(undefined);
      expect(parsePlace(`/sign-in?returnTo=${encodeURIComponent(value)}`)).to.equal(undefined);
    });

  it('ignores a missing or empty value', () => {
    expect([parse(null), parse('')]).to.deep.equal([undefined, undefined]);
  });

  it('accepts addresses of the same origin', () => {
    expect(parse('/orders?page=2#top')).to.equal(`${PAGE}/orders?page=2#top`);
    expect(parse('/%2F/evil.example')).to.equal(`${PAGE}/%2F/evil.example`);
    expect(parse('/..//evil.example')).to.equal(`${PAGE}//evil.example`);
    expect(parse(`${PAGE}/orders`)).to.equal(`${PAGE}/orders`);
    expect(parse('/apiary?next=/api/')).to.equal(`${PAGE}/apiary?next=/api/`);
    // A scheme without slashes is a relative address for a page of the same scheme.
    expect(parse('https:evil.example')).to.equal(`${PAGE}/evil.example`);
  });

  it('is decoded once, and keeps a second question mark', () => {
    expect(splitPlace('/sign-in')).to.deep.equal({ path: '/sign-in', query: '' });
    expect(parsePlace('/sign-in?returnTo=%2Forders%3Fq%3Da%2526b')).to.equal(`${PAGE}/orders?q=a%26b`);
    expect(parsePlace('/sign-in?returnTo=/orders?page=2')).to.equal(`${PAGE}/orders?page=2`);
    expect(parsePlace('/sign-in?returnTo=/orders?q=a?b')).to.equal(`${PAGE}/orders?q=a?b`);
  });

  it('accepts addresses of a listed origin', () => {
    expect(parse(`${SHOP}/orders`)).to.equal(`${SHOP}/orders`);
    expect(parse('https://SHOP.example.com:443')).to.equal(`${SHOP}/`);
    expect(parse(`${SHOP}/api/orders`)).to.equal(`${SHOP}/api/orders`);
  });
});

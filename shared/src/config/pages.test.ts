import { expect } from 'chai';
import { ConfigError } from './env.ts';
import { findPageNames, listPageCallbacks, readPages } from './pages.ts';

const PUBLIC_URL = 'https://api.example.com';
const read = (PAGES: string | undefined, url: string | undefined = PUBLIC_URL, NODE_ENV = 'production') =>
  readPages({ NODE_ENV, PAGES, PUBLIC_URL: url });

describe('settings of the pages', () => {
  it('are on in development and off in production by default', () => {
    const both = ['console', 'account'];
    expect(findPageNames({ NODE_ENV: 'development', PAGES: undefined })).to.deep.equal(both);
    expect(findPageNames({ NODE_ENV: 'test', PAGES: undefined })).to.deep.equal(both);
    expect(findPageNames({ NODE_ENV: 'production', PAGES: undefined })).to.deep.equal([]);
    expect(findPageNames({ NODE_ENV: 'development', PAGES: 'off' })).to.deep.equal([]);
    expect(findPageNames({ NODE_ENV: 'production', PAGES: 'on' })).to.deep.equal(both);
  });

  it('list the addresses to which a provider returns, of the pages that are served', () => {
    expect(listPageCallbacks(read('on'))).to.deep.equal([
      'https://api.example.com/console/callback/{provider}',
      'https://api.example.com/account/customer/callback/{provider}',
      'https://api.example.com/account/employee/callback/{provider}',
    ]);
    expect(listPageCallbacks(read('console'))).to.deep.equal([
      'https://api.example.com/console/callback/{provider}',
    ]);
    for (const settings of [read('off'), read(undefined)])
      expect(listPageCallbacks(settings)).to.deep.equal([]);
    const development = { NODE_ENV: 'development', PAGES: 'on', PUBLIC_URL: undefined };
    expect(listPageCallbacks(readPages(development))).to.deep.equal([]);
  });

  it('require PUBLIC_URL in production only with pages', () => {
    const readWithoutUrl = (PAGES: string | undefined, NODE_ENV: string) =>
      readPages({ NODE_ENV, PAGES, PUBLIC_URL: undefined });
    expect(() => readWithoutUrl('account', 'production')).to.throw(
      ConfigError,
      'PUBLIC_URL is required with PAGES',
    );
    expect(readWithoutUrl(undefined, 'production').origin).to.equal(undefined);
    expect(readWithoutUrl(undefined, 'development').origin).to.equal(undefined);
  });

  it('reject a PUBLIC_URL that browsers could not use, and accept it without pages', () => {
    for (const [url, problem] of [
      ['https://example.com/platform', 'must have no path'],
      ['https://example.com?x=1', 'must have no path'],
      ['http://example.com', 'must use https'],
    ]) {
      expect(() => read('on', url), url).to.throw(ConfigError, `PUBLIC_URL ${problem} with PAGES`);
      expect(read('off', url)).to.deep.equal({ names: [], origin: undefined });
    }
    expect(read('on', 'http://localhost:3000').origin).to.equal('http://localhost:3000');
  });
});

import { resolve } from 'node:path';
import { expect } from 'chai';
import { parseOptions, UsageError } from './config.ts';

const URL_ARGUMENT = 'https://api.example.com';
const ACCOUNT = ['--account', 'customer:ada@example.com'];

describe('options of check:deployed', () => {
  it('only read, and slowly, by default', () => {
    const options = parseOptions([`${URL_ARGUMENT}/`], {});
    expect(options).to.deep.include({ url: URL_ARGUMENT, requestsPerSecond: 5, write: undefined });
  });

  it('take the password from the environment only', () => {
    expect(parseOptions([URL_ARGUMENT, ...ACCOUNT], { CHECK_PASSWORD: 'secret' })?.password).to.equal(
      'secret',
    );
    expect(() => parseOptions([URL_ARGUMENT, '--password', 'secret'], {})).to.throw(UsageError, /--password/);
  });

  it('accept accounts over plain HTTP on this machine only', () => {
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      expect(parseOptions([url, ...ACCOUNT], {})?.url).to.equal(url);
    expect(() => parseOptions(['http://api.example.com', ...ACCOUNT], {})).to.throw(UsageError);
  });

  it('take the contract of a release of this checkout, or a folder with one, only', () => {
    const folder = resolve(import.meta.dirname, '../../openapi');
    for (const known of ['1.0.0', folder])
      expect(parseOptions([URL_ARGUMENT, '--contract', known], {})?.release).to.equal(known);
    expect(parseOptions([URL_ARGUMENT], {})?.release).to.equal(undefined);
    for (const version of ['0.9.0', '..'])
      expect(() => parseOptions([URL_ARGUMENT, '--contract', version], {})).to.throw(UsageError, '1.0.0');
  });

  it('need a mail domain to write', () => {
    for (const domain of [[], ['--mail-domain', 'ada@example.com']])
      expect(() => parseOptions([URL_ARGUMENT, '--write', ...domain], {})).to.throw(UsageError);
  });
});

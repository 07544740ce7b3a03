import { expect } from 'chai';
import { parseOptions, UsageError } from './config.ts';

const URL_ARGUMENT = 'https://api.example.com';

describe('options of check:deployed', () => {
  it('only read, and slowly, by default', () => {
    expect(parseOptions([`${URL_ARGUMENT}/`], {})).to.deep.equal({
      url: URL_ARGUMENT,
      accounts: [],
      password: undefined,
      origin: undefined,
      requestsPerSecond: 5,
      write: undefined,
    });
  });

  it('name accounts by kind and address, and take the password from the environment only', () => {
    const args = [
      URL_ARGUMENT,
      '--account',
      'customer:ada@example.com',
      '--account=administrator:grace@example.com',
    ];
    const options = parseOptions(args, { CHECK_PASSWORD: 'secret' });
    expect(options?.accounts.map(({ kind, email }) => `${kind.path} ${email}`)).to.deep.equal([
      '/api/v1/customers/auth ada@example.com',
      '/api/v1/auth/admin grace@example.com',
    ]);
    expect(options?.password).to.equal('secret');
    expect(() => parseOptions([URL_ARGUMENT, '--password', 'secret'], {})).to.throw(UsageError, /--password/);
  });

  it('accept accounts over plain HTTP on this machine', () => {
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      expect(parseOptions([url, '--account', 'customer:ada@example.com'], {})?.url).to.equal(url);
  });

  for (const [name, args] of [
    ['no URL', []],
    ['two URLs', [URL_ARGUMENT, URL_ARGUMENT]],
    ['a URL without a scheme', ['api.example.com']],
    ['a URL with a path', [`${URL_ARGUMENT}/api/v1`]],
    ['a URL with a password', ['https://user:secret@api.example.com']],
    ['an unknown kind of account', [URL_ARGUMENT, '--account', 'guest:ada@example.com']],
    ['an account without an address', [URL_ARGUMENT, '--account', 'customer:ada']],
    ['a password over plain HTTP', ['http://api.example.com', '--account', 'customer:ada@example.com']],
    ['a rate of zero', [URL_ARGUMENT, '--rate', '0']],
    ['an origin with a path', [URL_ARGUMENT, '--origin', 'https://app.example.com/login']],
    ['--write without a mail domain', [URL_ARGUMENT, '--write']],
    ['--write with an address as mail domain', [URL_ARGUMENT, '--write', '--mail-domain', 'ada@example.com']],
    ['an inbox without --write', [URL_ARGUMENT, '--inbox', 'http://127.0.0.1:8025']],
    ['an unknown option', [URL_ARGUMENT, '--delete']],
  ] as const)
    it(`reject ${name}`, () => expect(() => parseOptions(args, {})).to.throw(UsageError));
});

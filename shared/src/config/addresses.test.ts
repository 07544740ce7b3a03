import { expect } from 'chai';
import {
  databaseUrl,
  httpUrl,
  isUnencrypted,
  mailAddress,
  mailSender,
  redisUrl,
  smtpUrl,
} from './addresses.ts';
import { ConfigError, readEnvironment } from './env.ts';

describe('Addresses in environment variables', () => {
  it('removes the slashes at the end of an HTTP URL', () => {
    const specs = { ADDRESS: httpUrl() };
    expect(readEnvironment({ ADDRESS: 'http://host:1//' }, specs).ADDRESS).to.equal('http://host:1');
    for (const ADDRESS of ['host', 'ftp://host', 'http:host', 'https://', 'http://ho st'])
      expect(() => readEnvironment({ ADDRESS }, specs), ADDRESS).to.throw(
        ConfigError,
        'ADDRESS must be a URL that starts with http:// or https://',
      );
  });

  it('considers HTTP unencrypted except on the loopback interface', () => {
    for (const url of [
      'http://localhost:1/a',
      'http://127.0.0.2',
      'http://[::1]:8080',
      'https://example.com',
    ])
      expect(isUnencrypted(url), url).to.equal(false);
    for (const url of ['http://example.com', 'http://localhost.example.com', 'http://127.0.0.1.example.com'])
      expect(isUnencrypted(url), url).to.equal(true);
  });

  it('accepts an e-mail address, and for a sender also a name', () => {
    const read = (INBOX: string) => readEnvironment({ INBOX }, { INBOX: mailAddress() }).INBOX;
    const readSender = (FROM: string) => readEnvironment({ FROM }, { FROM: mailSender() }).FROM;
    const addresses = [
      'contact@example.com',
      "o'neil+shop@mail.example.co",
      'büro@münchen.example',
      'root@localhost',
    ];
    for (const address of addresses)
      expect([read(address), readSender(address)]).to.deep.equal([address, address]);
    expect(read(' contact@example.com ')).to.equal('contact@example.com');
    for (const sender of [
      'Shop <a@b.example>',
      '<a@b.example>',
      '"Shop, Berlin" <a@b.example>',
      'Müller & Söhne <a@b.example>',
    ]) {
      expect(readSender(sender)).to.equal(sender);
      expect(() => read(sender), sender).to.throw(ConfigError, 'INBOX must be an e-mail address');
    }
    for (const text of [
      ...['nobody', '@example.com', 'a@', 'a b@example.com', 'a@b@c', 'a@b.example,c@d.example', 'a@-'],
      ...[
        'Shop <nobody>',
        'Shop, Berlin <a@b.example>',
        'Shop <a@b.example',
        'Shop\nBcc: c@d.example <a@b.example>',
      ],
    ]) {
      expect(() => read(text), text).to.throw(ConfigError, 'INBOX must be an e-mail address');
      expect(() => readSender(text), text).to.throw(
        ConfigError,
        'FROM must be an e-mail address, or of the form',
      );
    }
  });

  it('says in a URL of each engine that the password must be encoded, without repeating it', () => {
    const validators = { smtp: smtpUrl(), postgres: databaseUrl(), redis: redisUrl(), http: httpUrl() };
    const read = (URL: string) => {
      const scheme = URL.split(/\W/)[0] as keyof typeof validators;
      return readEnvironment({ URL }, { URL: validators[scheme] }).URL;
    };
    const expectAdvice = (url: string) =>
      expect(() => read(url), url)
        .to.throw(ConfigError, 'URL must have its user and password percent-encoded, such as %2F for /')
        .with.property('message')
        .that.does.not.include('sec');
    for (const scheme of Object.keys(validators)) {
      for (const password of ['secret+a/b', 'secret?', 'sec#ret'])
        expectAdvice(`${scheme}://me:${password}@127.0.0.1:1`);
      for (const login of ['', 'me:sec%2Fret@', 'me@example.com:p:w!$+@'])
        expect(read(`${scheme}://${login}localhost:1`)).to.be.a('string');
    }
    // Digits before the character would be taken for a port, and the user for the host.
    expectAdvice('smtp://me:12/secret@localhost');
    expectAdvice('postgres://me:12?secret@localhost/db');
    expectAdvice('redis://:secret%@localhost');
    expectAdvice('redis+sentinel://:se@cret@one/name');
    expect(read('postgres://host:1/db?application_name=a@b')).to.be.a('string');
  });

  it('names the valid forms of a Redis URL without repeating the password', () => {
    const specs = { REDIS_URL: redisUrl() };
    const valid = 'redis+sentinel://one:26379,two:26379/mymaster';
    expect(readEnvironment({ REDIS_URL: valid }, specs).REDIS_URL).to.equal(valid);
    expect(() => readEnvironment({ REDIS_URL: 'redis://:secret@one:1,two:2' }, specs))
      .to.throw(ConfigError, /^REDIS_URL must be redis:\/\/host:port or redis\+sentinel:/)
      .with.property('message')
      .that.does.not.include('secret');
  });
});

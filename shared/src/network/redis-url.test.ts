import { expect } from 'chai';
import { parseRedisUrl } from './redis-url.ts';

describe('Redis URL', () => {
  it('keeps the URL of a single server', () => {
    for (const url of ['redis://localhost', 'rediss://user:secret@[::1]:6380/2'])
      expect(parseRedisUrl(url)).to.deep.equal({ engine: 'single', url });
  });

  it('parses Sentinels with two accounts', () => {
    const url =
      'rediss+sentinel://app:p%40ss@one:26380,two,[::1]:5/mymaster?sentinelUsername=watch&sentinelPassword=w%26';
    expect(parseRedisUrl(url)).to.deep.equal({
      engine: 'sentinel',
      nodes: [
        { host: 'one', port: 26_380 },
        { host: 'two', port: 26_379 },
        { host: '::1', port: 5 },
      ],
      tls: true,
      account: { username: 'app', password: 'p@ss' },
      name: 'mymaster',
      sentinelAccount: { username: 'watch', password: 'w&' },
    });
  });

  it('rejects other forms without repeating the password', () => {
    for (const url of [
      'localhost:6379',
      'http://:secret@localhost',
      'redis://:secret@localhost/cache',
      'redis://',
      'redis://:secret@one:1,two:2',
      'redis+sentinel://:secret@one:1,two:2',
      'redis+sentinel://:secret@one:99999/mymaster',
      'redis+sentinel://:secret@one/mymaster?password=secret',
      'redis+sentinel://:sec@ret@one/mymaster',
      'redis+sentinel://:secret%@one/mymaster',
      'redis+sentinel://:secret@,/mymaster',
    ])
      expect(() => parseRedisUrl(url), url)
        .to.throw(TypeError, /^(must|has)/)
        .with.property('message')
        .that.does.not.include('secret');
  });
});

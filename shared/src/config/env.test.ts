import { expect } from 'chai';
import {
  ConfigError,
  chooseQueueRedisUrl,
  integer,
  lifetimeSeconds,
  list,
  platformRoleList,
  port,
  readEnvironment,
  redisUrl,
  secret,
  url,
} from './env.ts';

describe('Environment variables', () => {
  it('reports every invalid variable in one message', () => {
    const specs = { A_URL: url(), A_SECRET: secret(), A_PORT: port(1) };
    expect(() => readEnvironment({ A_SECRET: 'short', A_PORT: 'x' }, specs))
      .to.throw(ConfigError)
      .with.property('message')
      .that.includes('A_URL is required')
      .and.includes('A_SECRET must have at least 32 characters')
      .and.includes('A_PORT must be an integer from 0 to 65535');
  });

  it('parses an integer within its range', () => {
    const specs = { SIZE: integer(5, 1, 10) };
    expect(readEnvironment({}, specs).SIZE).to.equal(5);
    expect(readEnvironment({ SIZE: '' }, specs).SIZE).to.equal(5);
    for (const size of ['1', '10'])
      expect(readEnvironment({ SIZE: size }, specs).SIZE).to.equal(Number(size));
    for (const size of ['0', '11', '1.5', 'many', '1;2'])
      expect(() => readEnvironment({ SIZE: size }, specs), size).to.throw(ConfigError);
  });

  it('parses a lifetime in seconds, and falls back to the default', () => {
    const specs = { LIFE: lifetimeSeconds(60) };
    for (const [text, seconds] of [
      ['90', 90],
      ['90.9', 90],
      ['1e2', 100],
      ['soon', 60],
      ['-9', 60],
      ['0', 60],
    ] as const)
      expect(readEnvironment({ LIFE: text }, specs).LIFE, text).to.equal(seconds);
  });

  it('parses a list of platform roles and names the unknown ones', () => {
    const specs = { REQUIRED_FOR: platformRoleList({ default: [] }) };
    const read = (value?: string) => readEnvironment({ REQUIRED_FOR: value }, specs).REQUIRED_FOR;
    expect(read()).to.deep.equal([]);
    expect(read('')).to.deep.equal([]);
    expect(read('ADMIN')).to.deep.equal(['ADMIN']);
    expect(read(' ADMIN, OPERATOR,,ARBITER ')).to.deep.equal(['ADMIN', 'OPERATOR', 'ARBITER']);
    expect(() => read('ADMIN,CUSTOMER,admin')).to.throw(
      ConfigError,
      'REQUIRED_FOR has unknown roles (CUSTOMER, admin): use ADMIN, OPERATOR, ARBITER',
    );
  });

  it('names the forms of a Redis URL without repeating the password', () => {
    const specs = { REDIS_URL: redisUrl() };
    const valid = 'redis+sentinel://one:26379,two:26379/mymaster';
    expect(readEnvironment({ REDIS_URL: valid }, specs).REDIS_URL).to.equal(valid);
    expect(() => readEnvironment({ REDIS_URL: 'redis://:secret@one:1,two:2' }, specs))
      .to.throw(ConfigError, /^REDIS_URL must be redis:\/\/host:port, redis\+sentinel:/)
      .with.property('message')
      .that.does.not.include('secret');
  });

  it('uses QUEUE_REDIS_URL for the queue, and REDIS_URL without it', () => {
    const [single, sentinel] = ['redis://one', 'redis+sentinel://one/mymaster'];
    const [QUEUE_REDIS_URL, cluster] = [undefined, 'redis+cluster://one,two'];
    expect(chooseQueueRedisUrl({ REDIS_URL: sentinel, QUEUE_REDIS_URL })).to.equal(sentinel);
    expect(chooseQueueRedisUrl({ REDIS_URL: cluster, QUEUE_REDIS_URL: single })).to.equal(single);
    expect(chooseQueueRedisUrl({ REDIS_URL: undefined, QUEUE_REDIS_URL })).to.equal(undefined);
    expect(() => chooseQueueRedisUrl({ REDIS_URL: cluster, QUEUE_REDIS_URL })).to.throw(
      ConfigError,
      /^QUEUE_REDIS_URL must be set when REDIS_URL is a cluster: the mail queue needs one server/,
    );
    expect(() => chooseQueueRedisUrl({ REDIS_URL: single, QUEUE_REDIS_URL: cluster })).to.throw(
      ConfigError,
      /^QUEUE_REDIS_URL must not be a cluster/,
    );
  });

  it('parses a list without spaces and empty items', () => {
    expect(readEnvironment({ NAMES: ' a, b ,,c,' }, { NAMES: list() }).NAMES).to.deep.equal(['a', 'b', 'c']);
  });

  it('removes the trailing slash of a URL', () => {
    const specs = { ADDRESS: url() };
    expect(readEnvironment({ ADDRESS: 'http://host:1//' }, specs).ADDRESS).to.equal('http://host:1');
    expect(() => readEnvironment({ ADDRESS: 'host' }, specs)).to.throw(ConfigError, 'ADDRESS must be a URL');
  });
});

import { expect } from 'chai';
import { platformRoleList } from '../platform/access/platform-role.ts';
import { httpUrl } from './addresses.ts';
import { ConfigError, integer, lifetimeSeconds, list, onOff, port, readEnvironment, secret } from './env.ts';

describe('Environment variables', () => {
  it('reports every invalid variable in one message', () => {
    const specs = { A_URL: httpUrl(), A_SECRET: secret(), A_PORT: port(1) };
    expect(() => readEnvironment({ A_SECRET: 'short', A_PORT: 'x' }, specs))
      .to.throw(ConfigError)
      .with.property('message')
      .that.includes('A_URL is required')
      .and.includes('A_SECRET must have at least 32 characters')
      .and.includes('A_PORT must be an integer from 0 to 65535');
  });

  it('names the values of a choice', () => {
    expect(() => readEnvironment({ SIGN_UP: 'Off' }, { SIGN_UP: onOff('on') })).to.throw(
      ConfigError,
      /^SIGN_UP must be one of on, off$/,
    );
  });

  it('parses an integer within its range', () => {
    const specs = { SIZE: integer(5, 1, 10) };
    expect(readEnvironment({}, specs).SIZE).to.equal(5);
    expect(readEnvironment({ SIZE: '' }, specs).SIZE).to.equal(5);
    for (const size of ['1', '10'])
      expect(readEnvironment({ SIZE: size }, specs).SIZE).to.equal(Number(size));
    for (const size of ['0', '11', '1.5', 'many', '1;2', ' '])
      expect(() => readEnvironment({ SIZE: size }, specs), size).to.throw(ConfigError);
  });

  it('parses a lifetime in seconds, and uses the default if it is not a number', () => {
    const specs = { LIFE: lifetimeSeconds(60) };
    for (const [text, seconds] of [
      ['90', 90],
      ['90.9', 90],
      ['1e2', 100],
      ['soon', 60],
      ['15m', 60],
      [' ', 60],
    ] as const)
      expect(readEnvironment({ LIFE: text }, specs).LIFE, text).to.equal(seconds);
    for (const text of ['0', '-5', '0.9', '1e9', 'Infinity'])
      expect(() => readEnvironment({ LIFE: text }, specs), text).to.throw(
        ConfigError,
        'LIFE must be a number of seconds from 1 to 315360000',
      );
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

  it('parses a list without spaces and empty items', () => {
    expect(readEnvironment({ NAMES: ' a, b ,,c,' }, { NAMES: list() }).NAMES).to.deep.equal(['a', 'b', 'c']);
  });
});

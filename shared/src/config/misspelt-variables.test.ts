import { expect } from 'chai';
import { ConfigError, list, readEnvironment } from './env.ts';
import { findMisspelt, readWithMisspelt } from './misspelt-variables.ts';

describe('misspelt variables', () => {
  const known = new Set(['CORS_ORIGINS', 'REDIS_URL', 'LOGO_FILE', 'PAGES', 'SERVICES', 'MAIL_FROM']);
  const find = (name: string, value = 'x') => findMisspelt({ [name]: value }, known);

  for (const [edit, name] of [
    ['a missing character', 'CORS_ORIGIN'],
    ['a missing character inside', 'CORS_ORGINS'],
    ['one character too many', 'CORS_ORIGINSS'],
    ['a wrong character', 'CORS-ORIGINS'],
    ['two exchanged characters', 'CORS_OIRGINS'],
    ['one word too many at the end', 'CORS_ORIGINS_LIST'],
  ] as const)
    it(`are found if the name has ${edit}`, () => {
      expect(find(name)).to.equal(`${name} is not a setting; is it CORS_ORIGINS?`);
    });

  it('are found if the last word of the name is missing', () => {
    const required = new Set(['SECOND_FACTOR_REQUIRED_FOR']);
    expect(findMisspelt({ SECOND_FACTOR_REQUIRED: 'ADMIN' }, required)).to.equal(
      'SECOND_FACTOR_REQUIRED is not a setting; is it SECOND_FACTOR_REQUIRED_FOR?',
    );
  });

  it('are described in one line', () => {
    expect(findMisspelt({ CORS_ORIGIN: 'x', REDIS_URLS: 'y', CORS_ORIGINS: 'z' }, known)).to.equal(
      'CORS_ORIGIN is not a setting; is it CORS_ORIGINS? REDIS_URLS is not a setting; is it REDIS_URL?',
    );
  });

  it('are neither known nor empty, nor differ by two characters, nor belong to other programs', () => {
    for (const name of ['CORS_ORIGINS', 'CORS_ORIGI', 'ORIGINS', 'PAGER', 'LOG_FILE', 'MAILFROM', 'PATH'])
      expect(find(name), name).to.equal(undefined);
    expect(find('CORS_ORIGIN', '')).to.equal(undefined);
  });

  const read = (environment: Record<string, string>, specs: Record<string, object>) =>
    readWithMisspelt(environment, (env) => readEnvironment(env, specs));

  it('are found by the names that a process reads', () => {
    const specs = { CORS_ORIGINS: list({ default: [] }) };
    expect(read({ CORS_ORIGIN: 'x', REDIS_URLS: 'y' }, specs).misspelt).to.equal(
      'CORS_ORIGIN is not a setting; is it CORS_ORIGINS?',
    );
    expect(read({ CORS_ORIGINS: 'x' }, specs)).to.deep.equal({
      config: { CORS_ORIGINS: ['x'] },
      misspelt: undefined,
      values: { CORS_ORIGINS: ['x'] },
    });
  });

  it('are described beside the variable that is missing for that reason', () => {
    expect(() => read({ CORS_ORIGIN: 'x' }, { CORS_ORIGINS: list() })).to.throw(
      ConfigError,
      'CORS_ORIGINS is required; CORS_ORIGIN is not a setting; is it CORS_ORIGINS?',
    );
  });
});

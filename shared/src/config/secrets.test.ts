import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { ConfigError, type Environment, readEnvironment } from './env.ts';
import { processVariables } from './process-variables.ts';
import { readSecrets, secretVariables } from './secrets.ts';

const NAMES = ['ACCESS_KEY', 'REFRESH_KEY', 'CODE_KEY'] as const;
const random = (): string => randomBytes(36).toString('base64url');

const read = (environment: Environment) =>
  readSecrets(readEnvironment(environment, { ...processVariables, ...secretVariables(NAMES) }), NAMES);

const complaint = (environment: Environment): string => {
  try {
    read(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The secrets were accepted');
};

const GOOD = { ACCESS_KEY: random(), REFRESH_KEY: random(), CODE_KEY: random() };

describe('Secrets configuration', () => {
  it('reads each secret with its previous ones', () => {
    const [older, oldest] = [random(), random()];
    const secrets = read({ ...GOOD, ACCESS_KEY_PREVIOUS: ` ${older} ,${oldest},`, CODE_KEY_PREVIOUS: '' });
    expect(secrets).to.deep.equal({
      ACCESS_KEY: { current: GOOD.ACCESS_KEY, previous: [older, oldest] },
      REFRESH_KEY: { current: GOOD.REFRESH_KEY, previous: [] },
      CODE_KEY: { current: GOOD.CODE_KEY, previous: [] },
    });
  });

  it('requires every secret except previous ones', () => {
    expect(complaint({})).to.equal(NAMES.map((name) => `${name} is required`).join('; '));
  });

  for (const environment of ['production', 'development', 'test'])
    describe(`in ${environment}`, () => {
      const given = { ...GOOD, NODE_ENV: environment };

      it('requires 32 characters, also for previous secrets', () => {
        for (const name of [...NAMES, ...NAMES.map((each) => `${each}_PREVIOUS`)]) {
          expect(complaint({ ...given, [name]: random().slice(0, 31) })).to.match(
            new RegExp(`${name}.*at least 32 characters`),
          );
          expect(() => read({ ...given, [name]: random().slice(0, 32) })).not.to.throw();
        }
        const message = complaint({ ...given, CODE_KEY_PREVIOUS: `${random()},${random().slice(0, 31)}` });
        expect(message).to.include('CODE_KEY_PREVIOUS must have at least 32');
      });

      it('requires all secrets to differ, previous ones included', () => {
        const twice = random();
        const pairs: Environment[] = [
          { ACCESS_KEY: twice, REFRESH_KEY: twice },
          { ACCESS_KEY: twice, ACCESS_KEY_PREVIOUS: twice },
          { ACCESS_KEY: twice, CODE_KEY_PREVIOUS: `${random()},${twice}` },
          { ACCESS_KEY_PREVIOUS: twice, REFRESH_KEY_PREVIOUS: twice },
          { CODE_KEY_PREVIOUS: `${twice},${twice}` },
        ];
        for (const pair of pairs) {
          const message = complaint({ ...given, ...pair });
          expect(message).to.include('must all be different');
          for (const name of Object.keys(pair)) expect(message).to.include(name);
        }
      });
    });

  const placeholders = [
    'change-me-change-me-change-me-change-me',
    'CHANGE_ME_0123456789abcdefghijklmnopqrst',
    'changeme-0123456789-abcdefghijklmnopqrst',
    'please change this secret before you go live',
    'your-access-secret-0123456789-abcdefghij',
    'replace-with-openssl-rand-base64-48-0123',
    'replace_me_0123456789abcdefghijklmnopqrs',
    'insert-a-long-random-secret-here-01234567',
    'this is only a placeholder of 32 characters',
    'TODO: 0123456789 abcdefghijklmnopqrstuvwx',
    'a'.repeat(64),
    'abcabcabc'.repeat(5),
    '0123456701234567012345670123456701234567',
  ];
  for (const placeholder of placeholders)
    it(`rejects a placeholder in production: "${placeholder.slice(0, 24)}…"`, () => {
      for (const name of ['ACCESS_KEY', 'REFRESH_KEY_PREVIOUS']) {
        const message = complaint({ ...GOOD, NODE_ENV: 'production', [name]: placeholder });
        expect(message).to.equal(`${name} must be a random secret, not a placeholder`);
        expect(() => read({ ...GOOD, NODE_ENV: 'development', [name]: placeholder })).not.to.throw();
      }
    });

  it('accepts random secrets from common generators in production', () => {
    const makers = [
      () => randomBytes(24).toString('base64'),
      () => randomBytes(36).toString('base64url'),
      () => randomBytes(32).toString('hex'),
      () => randomBytes(48).toString('hex').toUpperCase(),
    ];
    for (const make of makers)
      for (let round = 0; round < 20; round += 1)
        expect(() => read({ ...GOOD, NODE_ENV: 'production', ACCESS_KEY: make() })).not.to.throw();
  });

  it('names every invalid secret and its problem in one message, without its value', () => {
    const twice = random();
    const [short, placeholder] = ['too short: 0123456789', 'change-me-0123456789-abcdefghijklm'];
    const message = complaint({
      NODE_ENV: 'production',
      ACCESS_KEY: twice,
      REFRESH_KEY: twice,
      CODE_KEY: placeholder,
      CODE_KEY_PREVIOUS: short,
    });
    expect(message).to.include('ACCESS_KEY, REFRESH_KEY must all be different');
    expect(message).to.include('CODE_KEY_PREVIOUS must have at least 32 characters');
    expect(message).to.match(/CODE_KEY.* must be a random secret, not a placeholder/);
    for (const secret of [twice, short, placeholder]) expect(message).not.to.include(secret);
  });
});

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { ConfigError } from '../../config/env.ts';
import { readServiceSecrets } from './service-secrets.ts';

const random = (): string => randomBytes(36).toString('base64url');

describe('secrets of other services', () => {
  const [first, second, third] = [random(), random(), random()];
  const PRODUCTION = { NODE_ENV: 'production' };
  const read = (secret: string, other = third) =>
    readServiceSecrets(
      { SERVICES: 'projects,my-shop', SERVICE_PROJECTS_SECRET: secret, SERVICE_MY_SHOP_SECRET: other },
      PRODUCTION,
    );

  it('are none, one, or two during a rotation', () => {
    expect([...readServiceSecrets({}, PRODUCTION)]).to.deep.equal([]);
    expect([...read('')]).to.deep.equal([
      ['projects', []],
      ['my-shop', [third]],
    ]);
    expect(read(`${first}, ${second}`).get('projects')).to.deep.equal([first, second]);
  });

  const INVALID: Record<string, [secret: string, problem: RegExp]> = {
    'too short': [first.slice(0, 31), /^SERVICE_PROJECTS_SECRET must have at least 32/],
    'that of another service': [
      third,
      /^SERVICE_PROJECTS_SECRET, SERVICE_MY_SHOP_SECRET must all be different/,
    ],
    'a placeholder': [`change-me-${first}`, /^SERVICE_PROJECTS_SECRET must be a random secret/],
  };
  for (const [title, [secret, problem]] of Object.entries(INVALID))
    it(`prevent the start when one is ${title}`, () => {
      expect(() => read(secret)).to.throw(ConfigError, problem);
    });
});

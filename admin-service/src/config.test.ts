import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { readConfig } from './config.ts';

const COMPLETE = {
  DATABASE_URL: 'postgres://platform@127.0.0.1/platform',
  JWT_ADMIN_ACCESS_SECRET_KEY: 'a secret of thirty-two characters',
  CODE_SECRET_KEY: 'another secret of 32 characters!!',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  CONTACT_INBOX: 'contact@example.com',
};

const getErrorMessage = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

describe('admin-service configuration', () => {
  it('listens on ADMIN_API_PORT, by default 3002', () => {
    expect(readConfig(COMPLETE).apiPort).to.deep.equal({ variable: 'ADMIN_API_PORT', number: 3002 });
    expect(readConfig({ ...COMPLETE, ADMIN_API_PORT: '4000' }).apiPort?.number).to.equal(4000);
  });

  it('names all missing variables in one error message', () => {
    const message = getErrorMessage({});
    for (const name of Object.keys(COMPLETE)) expect(message).to.include(name);
  });

  it('rejects a secret of fewer than 32 characters and a DATABASE_URL that is not a URL', () => {
    expect(getErrorMessage({ ...COMPLETE, JWT_ADMIN_ACCESS_SECRET_KEY: 'x'.repeat(31) })).to.include(
      'JWT_ADMIN_ACCESS_SECRET_KEY',
    );
    expect(getErrorMessage({ ...COMPLETE, DATABASE_URL: 'platform' })).to.include('DATABASE_URL');
  });

  for (const [name, value] of [
    ['ADMIN_API_PORT', '65536'],
    ['ADMIN_OPS_PORT', 'http'],
    ['CONTACT_INBOX', 'x'],
    ['CONTACT_INBOX', 'Contact <contact@example.com>'],
    ['DATABASE_READ_URL', 'http://replica'],
    ['DATABASE_CONNECTIONS', '0'],
    ['REDIS_URL', 'http://redis'],
    ['ADMIN_PROOF_SECONDS', '-1'],
    ['ADMIN_PROOF_SECONDS', '15m'],
  ] as const)
    it(`rejects ${name}=${value} and names it`, () => {
      expect(getErrorMessage({ ...COMPLETE, [name]: value })).to.match(new RegExp(`^${name} `));
    });

  it('requires a second factor of the roles in SECOND_FACTOR_REQUIRED_FOR, by default of none', () => {
    const read = (SECOND_FACTOR_REQUIRED_FOR: string) =>
      readConfig({ ...COMPLETE, SECOND_FACTOR_REQUIRED_FOR }).secondFactorRequiredFor;
    expect(readConfig(COMPLETE).secondFactorRequiredFor).to.deep.equal([]);
    expect(read('ADMIN, ARBITER')).to.deep.equal(['ADMIN', 'ARBITER']);
    expect(getErrorMessage({ ...COMPLETE, SECOND_FACTOR_REQUIRED_FOR: 'ADMIN,CUSTOMER' })).to.match(
      /^SECOND_FACTOR_REQUIRED_FOR has unknown roles \(CUSTOMER\)/,
    );
  });

  it('reads the scopes of other services, and names an invalid one', () => {
    const services = { SERVICES: 'a,b', SERVICE_A_SECRET: 'a secret of another service with 32 characters' };
    const { serviceScopes } = readConfig({ ...COMPLETE, ...services, SERVICE_A_SCOPES: 'teams:read' });
    expect([...serviceScopes]).to.deep.equal([
      ['a', ['teams:read']],
      ['b', []],
    ]);
    expect(getErrorMessage({ ...COMPLETE, ...services, SERVICE_B_SCOPES: 'teams:read' })).to.equal(
      'SERVICE_B_SCOPES needs SERVICE_B_SECRET',
    );
  });

  it('validates responses except in production', () => {
    expect(readConfig({ ...COMPLETE, NODE_ENV: 'test' }).validateResponses).to.equal(true);
    expect(readConfig({ ...COMPLETE, NODE_ENV: 'development' }).validateResponses).to.equal(true);
    expect(readConfig(COMPLETE).validateResponses).to.equal(false);
  });
});

import { expect } from 'chai';
import { ConfigError } from '../../config/env.ts';
import { readServiceNames, toVariablePrefix } from './services.ts';

describe('names of other services', () => {
  it('are none without SERVICES', () => {
    expect(readServiceNames({})).to.deep.equal([]);
    expect(readServiceNames({ SERVICES: '' })).to.deep.equal([]);
  });

  it('are listed in SERVICES, and begin the variables of each service', () => {
    expect(readServiceNames({ SERVICES: 'payments, my-shop2' })).to.deep.equal(['payments', 'my-shop2']);
    expect(toVariablePrefix('my-shop2')).to.equal('SERVICE_MY_SHOP2');
  });

  it('are rejected if malformed, repeated or used by the platform', () => {
    for (const names of ['Payments', 'my_shop', 'a b', 'a,b,a', 'a'.repeat(65)])
      expect(() => readServiceNames({ SERVICES: names }), names).to.throw(
        ConfigError,
        /^SERVICES must be a list/,
      );
    expect(() => readServiceNames({ SERVICES: 'a,gateway,auth-service' })).to.throw(
      ConfigError,
      'SERVICES must not contain names of the platform (gateway, auth-service)',
    );
  });
});

import { unavailable } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { isOutcomeUnknown } from './undelivered-tokens-store.ts';

describe('outcome of a failed rotation', () => {
  const withCode = (code: string) => Object.assign(new Error('failed'), { code });
  const isUnknown = (cause?: unknown) => isOutcomeUnknown(unavailable('Database unavailable', cause));

  for (const cause of [
    new Error('Query read timeout'),
    new Error('Connection terminated unexpectedly'),
    withCode('ECONNRESET'),
    withCode('57P01'),
  ])
    it(`is unknown after ${cause.message} ${'code' in cause ? cause.code : ''}`, () => {
      expect(isUnknown(cause)).to.equal(true);
    });

  for (const cause of [
    undefined,
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated due to connection timeout'),
    withCode('ECONNREFUSED'),
    withCode('25006'),
    withCode('55P03'),
    withCode('57P03'),
  ])
    it(`is known after ${cause?.message ?? 'an overload'} ${cause && 'code' in cause ? cause.code : ''}`, () => {
      expect(isUnknown(cause)).to.equal(false);
    });

  it('is known after an error that is not about availability', () => {
    expect(isOutcomeUnknown(new Error('Query read timeout'))).to.equal(false);
  });
});

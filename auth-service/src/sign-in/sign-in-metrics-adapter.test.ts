import {
  forbidden,
  notFound,
  tooManyRequests,
  unauthorized,
  unavailable,
} from '@platform/shared/errors/app-error';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { codeInvalid } from '@platform/shared/platform/codes/email-code';
import { expect } from 'chai';
import { challengeInvalid, invalidCredentials, secondFactorRequired } from './sign-in.ts';
import { createSignInMetrics } from './sign-in-metrics-adapter.ts';

describe('sign-in metrics', () => {
  it('count each sign-in by kind, outcome and last method, and return its result', async () => {
    const metrics = createMetrics('auth-service');
    const { countSignIn } = createSignInMetrics(metrics, ['company']);
    const fail = (error: Error) => Promise.reject(error);
    expect(await countSignIn('customer', 'totp', Promise.resolve('signed in'))).to.equal('signed in');
    for (const [method, error] of [
      ['password', secondFactorRequired('challenge', ['totp'])],
      ['password', invalidCredentials()],
      ['email-code', codeInvalid()],
      ['recovery-code', challengeInvalid()],
      ['passkey', unauthorized('SECOND_FACTOR_INVALID', 'wrong')],
      ['passkey', notFound('PASSKEY_NOT_FOUND', 'unknown')],
      ['oidc:company', forbidden('PROVIDER_NOT_ALLOWED', 'not for administrators')],
      ['totp', tooManyRequests('RATE_LIMITED', 'too many', 1)],
      ['password', unavailable('full')],
      ['totp', new Error('a bug')],
    ] as const)
      expect(await countSignIn('customer', method, fail(error)).catch((found: unknown) => found)).to.equal(
        error,
      );
    const counted = [...(await metrics.render()).matchAll(/^sign_ins_total{(.*)} 1$/gm)].map(
      ([, labels = '']) =>
        ['outcome', 'method'].map((name) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]).join(' '),
    );
    expect(counted).to.have.members([
      'success totp',
      'second-factor-required password',
      'failure password',
      'failure email-code',
      'failure recovery-code',
      'failure passkey',
      'rejected passkey',
      'rejected oidc:company',
      'throttled totp',
      'error password',
      'error totp',
    ]);
  });
});

import { hash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from '@platform/shared/errors/app-error';
import type { SecurityHandler } from '@platform/shared/openapi/operation-router';
import { parseBearerToken } from '@platform/shared/tokens/tokens';

const toHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Compares hashes, so that the time does not depend on the secret. */
export const createSecurity = (secret: string): Record<'secret', SecurityHandler<undefined>> => {
  const expected = toHash(secret);
  return {
    secret: async ({ headers }) => {
      const given = toHash(parseBearerToken(headers.authorization) ?? '');
      if (!timingSafeEqual(given, expected))
        throw unauthorized(
          'SECRET_INVALID',
          'The secret of the test bench is missing or wrong; it is in stack.json',
        );
      return undefined;
    },
  };
};

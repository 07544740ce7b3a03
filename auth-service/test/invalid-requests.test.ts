import { accessHeaders } from '@platform/shared/testing/auth-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { loadOperations, type Operation } from '../../test/openapi-operations.ts';
import { ALL_KINDS, useAuthService } from './auth-service.ts';

const mayBeInvalid = ({ responses }: Operation): boolean =>
  responses['400']?.description?.includes('VALIDATION_FAILED') ?? false;

describe('invalid request', () => {
  const service = useAuthService();

  for (const kind of ALL_KINDS)
    it(`is rejected by every operation of ${kind.plural} that can have one`, async () => {
      const { device } = await service().client(kind).createAccountAndDevice();
      const operations = (await loadOperations()).filter(
        (operation) => operation.name.startsWith(`auth/${kind.kind}`) && mayBeInvalid(operation),
      );
      expect(operations).to.have.length.above(20);
      for (const { name, method, template, body } of operations) {
        const cookie = `${kind.refreshCookie}=${device.refreshToken}`;
        const headers = body
          ? { ...accessHeaders(device), Cookie: cookie, 'Content-Type': 'application/json' }
          : { Authorization: `Bearer ${device.accessToken}`, Cookie: cookie, 'X-Session-Id': 'none' };
        const path = template.replace('{provider}', 'company').replace(/\{\w+\}/g, 'none');
        const response = await send(service().url, method, path, { headers, body: body && '{' });
        expect(response.status, `${name} ${response.text}`).to.equal(400);
        expectError(response, 400, 'VALIDATION_FAILED');
      }
    });
});

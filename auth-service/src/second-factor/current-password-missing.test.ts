import { type AccountKind, ALL_KINDS } from '@platform/shared/testing/auth-client';
import { loadOperations, type Operation } from '@platform/shared/testing/openapi-operations';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { useProvider } from '../../testing/provider.ts';
import { expectPasswordMissing } from '../../testing/second-factor.ts';

/** The operations of a kind whose body has the current password, by the contract. */
const listOperations = async ({ path }: AccountKind): Promise<Operation[]> =>
  (await loadOperations()).filter(
    ({ template, body }) => template.startsWith(`${path}/`) && body?.schema.properties?.['currentPassword'],
  );

describe('missing current password', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  for (const kind of ALL_KINDS)
    it(`is named by every operation that takes one, before other conflicts, for ${kind.plural}`, async () => {
      const { device } = await service().as(kind).openVerifiedAccount();
      const operations = await listOperations(kind);
      expect(operations.length).to.be.above(8);
      for (const { id, method, template, scheme, body } of operations) {
        const path = template.replace('{provider}', 'company').replace(/\{\w+\}/g, crypto.randomUUID());
        const token = scheme?.includes('Refresh') ? device.refreshToken : device.accessToken;
        for (const currentPassword of [undefined, '']) {
          const fields = { ...(body?.example as object), currentPassword };
          const headers = { Authorization: `Bearer ${token}` };
          const response = await send(service().url, method, path, { headers, body: fields });
          expect(response.status, `${id}: ${response.text}`).to.equal(400);
          expectPasswordMissing(response);
        }
      }
    });
});

import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

const LIMIT_BYTES = 102_400;
const JSON_TYPE = 'application/json';

describe('body of a DELETE', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    it(`is validated like every other, for ${kind.plural}`, async () => {
      const client = service().client(kind);
      const device = await client.openDevice(await client.createAccount());
      const path = `${kind.path}/second-factor/totp`;
      const authorization = { Authorization: `Bearer ${device.accessToken}` };
      const remove = (body: string | undefined, type = JSON_TYPE) =>
        send(service().url, 'DELETE', path, { headers: { ...authorization, 'Content-Type': type }, body });
      const tooLarge = JSON.stringify({ currentPassword: 'x'.repeat(LIMIT_BYTES) });

      expectError(await remove('currentPassword=x', 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE');
      expectError(await remove(tooLarge), 413, 'BODY_TOO_LARGE');
      expectError(await remove(undefined), 400, 'VALIDATION_FAILED');
      expectError(await remove('{'), 400, 'VALIDATION_FAILED');
      expectError(await remove('{}'), 400, 'VALIDATION_FAILED', '/body/currentPassword');
      const chunked = await fetch(service().url + path, {
        method: 'DELETE',
        headers: { ...authorization, 'Content-Type': JSON_TYPE },
        body: new Blob([tooLarge]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect(chunked.status, await chunked.text()).to.equal(413);
      // Without a token, nothing of the body is judged.
      for (const body of [tooLarge, '{'])
        expectError(await send(service().url, 'DELETE', path, { body }), 401, 'TOKEN_INVALID');
    });
});

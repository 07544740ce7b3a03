import { type AuthClient, bearer, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import type { RunningCodeService } from './code-service.ts';

type Access = Pick<Device, 'accessToken'>;
type Headers = Record<string, string | undefined>;

/** The operations of a user's own account. */
export const createOwnAccountClient = ({ baseUrl, kind }: Pick<AuthClient, 'baseUrl' | 'kind'>) => {
  const post = (route: string, device: Access, body: object, headers: Headers = {}): Promise<HttpResponse> =>
    send(baseUrl, 'POST', kind.path + route, { headers: { ...bearer(device), ...headers }, body });
  return {
    requestEmailChange: (device: Access, newEmail: string, headers?: Headers, currentPassword = PASSWORD) =>
      post('/email/change', device, { newEmail, currentPassword }, headers),
    confirmEmailChange: (device: Access, code: string, headers?: Headers) =>
      post('/email/change/check', device, { code }, headers),
    exportAccount: (device: Access) =>
      send(baseUrl, 'GET', `${kind.path}/account/export`, { headers: bearer(device) }),
    deleteAccount: (device: Access, body: object = { currentPassword: PASSWORD }, headers?: Headers) =>
      post('/account/delete', device, body, headers),
  };
};

type OwnAccountClient = ReturnType<typeof createOwnAccountClient>;

/** Requests the change and returns the code that is mailed to the new address. */
export const requestCode = async (
  service: Pick<RunningCodeService, 'codeFor'>,
  client: OwnAccountClient,
  device: Access,
  newEmail: string,
): Promise<string> => {
  const { status, text } = await client.requestEmailChange(device, newEmail);
  expect(status, text).to.equal(200);
  return await service.codeFor(newEmail.toLowerCase());
};

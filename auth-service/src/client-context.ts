import type { SignInDevice } from './feature-types.ts';
import type { KindRequest } from './operations.ts';

type DeviceRequest = Pick<KindRequest<'signIn'>, 'context'> & { headers: { 'X-Fingerprint': string } };

export const toSignInDevice = ({
  headers,
  context: { address: ip, requestId },
}: DeviceRequest): SignInDevice => ({
  fingerprint: headers['X-Fingerprint'],
  ip,
  requestId,
});

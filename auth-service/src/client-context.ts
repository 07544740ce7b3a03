import { toClientSubnet } from '@platform/shared/http/client-address';
import type { ClientContext, SignInDevice } from './feature-types.ts';
import type { KindRequest } from './operations.ts';

type AnyRequest = Pick<KindRequest<'signIn'>, 'context' | 'language'>;

/** Of a request about the caller's own account. */
export const toClientContext = ({ context, language }: AnyRequest): ClientContext => ({
  ...context,
  network: toClientSubnet(context.address),
  language,
});

export const toSignInDevice = ({
  headers,
  context: { address: ip, requestId },
  language,
}: AnyRequest & { headers: { 'X-Fingerprint': string } }): SignInDevice => ({
  fingerprint: headers['X-Fingerprint'],
  ip,
  network: toClientSubnet(ip),
  requestId,
  language,
});

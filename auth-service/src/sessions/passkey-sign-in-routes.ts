import type { components } from '@platform/openapi/types/auth';
import { toSignInDevice } from '../client-context.ts';
import type { Kind } from '../kinds.ts';
import type { KindRequest } from '../operations.ts';
import type { PasskeySignInService } from './passkey-sign-in-service.ts';
import type { RefreshCookie } from './session-tokens.ts';
import { toSignInResponse } from './sessions-routes.ts';

export const passkeySignInRoutes = <K extends Kind>(
  kind: K,
  { signIn }: PasskeySignInService,
  createOptions: (kind: Kind, fingerprint: string) => Promise<components['schemas']['PasskeyRequestOptions']>,
  refreshCookie: RefreshCookie,
) => ({
  signInPasskeyOptions: async ({ headers }: KindRequest<'signInPasskeyOptions'>) => ({
    status: 200 as const,
    body: await createOptions(kind, headers['X-Fingerprint']),
  }),

  signInPasskey: async (request: KindRequest<'signInPasskey'>) =>
    toSignInResponse(kind, await signIn(kind, request.body.response, toSignInDevice(request)), refreshCookie),
});

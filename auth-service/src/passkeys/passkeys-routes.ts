import type { Kind } from '../kinds.ts';
import type { KindOperations, KindRequest } from '../operations.ts';
import type { AssertionService } from './assertions-service.ts';
import { toPasskeyBody } from './passkey-mapper.ts';
import type { PasskeyService } from './passkeys-service.ts';

type Operation = 'passkeyOptions' | 'passkeyCreate' | 'passkeyRename' | 'passkeyDelete';

export const passkeyRoutes = (passkeys: PasskeyService): Pick<KindOperations, Operation> => ({
  passkeyOptions: async (request) => ({
    status: 200,
    body: await passkeys.createOptions(request.caller, request.body, request.context),
  }),

  passkeyCreate: async (request) => ({
    status: 201,
    body: toPasskeyBody(await passkeys.add(request.caller, request.body, request.context)),
  }),

  passkeyRename: async ({ caller, path, body, context }) => ({
    status: 200,
    body: toPasskeyBody(await passkeys.rename(caller, path.passkeyId, body.name, context)),
  }),

  passkeyDelete: async (request) => {
    const { caller, path, body } = request;
    await passkeys.remove(caller, path.passkeyId, body, request.context);
    return { status: 204 };
  },
});

/** @throws AppError 401 CHALLENGE_INVALID */
type FindSignInChallenge = (
  kind: Kind,
  challenge: string,
  fingerprint: string,
) => Promise<{ userId: string; owner: string }>;

/** Options for a passkey as second factor. */
export const factorOptionsRoutes = (
  kind: Kind,
  { createFactorOptions }: AssertionService,
  findSignInChallenge: FindSignInChallenge,
) => ({
  secondFactorOptions: async ({ caller }: KindRequest<'secondFactorOptions'>) => ({
    status: 200 as const,
    body: await createFactorOptions(caller.account.userId, {
      purpose: 'confirmation',
      owner: caller.tokenId,
    }),
  }),

  signInSecondFactorOptions: async ({ body, headers }: KindRequest<'signInSecondFactorOptions'>) => {
    const { userId, owner } = await findSignInChallenge(kind, body.challenge, headers['X-Fingerprint']);
    return {
      status: 200 as const,
      body: await createFactorOptions(userId, { purpose: 'second-step', owner }),
    };
  },
});

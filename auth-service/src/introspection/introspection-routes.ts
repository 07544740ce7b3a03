import { toUserBody } from '../accounts/account-mapper.ts';
import type { InternalOperations } from '../operations.ts';
import type { ActiveCaller, IntrospectionService } from './introspection-service.ts';

const toActiveToken = ({ kind, account, session, methods, claims }: ActiveCaller) => {
  const user = toUserBody(kind, account);
  return {
    active: true as const,
    sub: user.id,
    kind,
    roles: user.roles,
    ...('platformRole' in user && { platform_role: user.platformRole }),
    profile_id: account.profile?.id ?? null,
    session_id: session.id,
    email: user.email,
    email_verified: user.isEmailVerified,
    methods,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
  };
};

export const introspectionRoutes = ({ findActive }: IntrospectionService): InternalOperations => ({
  introspectToken: async ({ body }) => {
    const caller = await findActive(body.token, body.fingerprint);
    if (!caller) return { status: 200, body: { active: false } };
    const { account, session } = caller;
    return {
      status: 200,
      caller: { userId: account.userId, sessionId: session.id },
      body: toActiveToken(caller),
    };
  },
});

import type { components } from '@platform/openapi/types/internal';
import { findPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { InternalOperations } from '../authentication/operations.ts';
import { KIND_CONFIGS } from '../kinds.ts';
import type { Introspect } from './introspection-service.ts';

type ActiveToken = components['schemas']['ActiveToken'];
type Caller = NonNullable<Awaited<ReturnType<Introspect>>>;

const toActiveToken = ({ kind, account, session, methods, claims }: Caller): ActiveToken => {
  const platformRole = KIND_CONFIGS[kind].hasPlatformRole ? findPlatformRole(account.roles) : undefined;
  return {
    active: true,
    sub: account.userId,
    kind,
    roles: account.roles as ActiveToken['roles'],
    ...(platformRole && { platform_role: platformRole }),
    profile_id: account.profile?.id ?? null,
    session_id: session.id,
    email: account.email,
    email_verified: account.isEmailVerified,
    methods,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
  };
};

export const introspectionRoutes = (introspect: Introspect): InternalOperations => ({
  introspectToken: async ({ body }) => {
    const caller = await introspect(body.token, body.fingerprint);
    if (!caller) return { status: 200, body: { active: false } };
    const { userId, id: sessionId } = caller.session;
    return { status: 200, caller: { userId, sessionId }, body: toActiveToken(caller) };
  },
});

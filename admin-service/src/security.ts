import type { KeyObject } from 'node:crypto';
import type { handledOperations } from '@platform/openapi/types/admin';
import type * as internal from '@platform/openapi/types/internal';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import { findLanguage } from '@platform/shared/http/language';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import type { OperationHandlers } from '@platform/shared/http/operations';
import type { SecondFactorRequirement, UpdateLanguage } from '@platform/shared/platform/access/caller';
import { logCaller } from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { ServiceCaller } from '@platform/shared/platform/services/service-credentials';
import { createTokenVerifier, parseBearerToken, type TokenClaims } from '@platform/shared/tokens/tokens';
import { type AdminCaller, requireWorkspace } from './workspaces/workspace.ts';

const SCHEME = 'jwt-admin-access';

export type AdminOperations = OperationHandlers<handledOperations, { [SCHEME]: AdminCaller }>;

/** The operations for other services. */
export type InternalOperations = Omit<
  OperationHandlers<internal.handledOperations, { service: ServiceCaller }>,
  'introspectToken'
>;

type Dependencies = {
  accessKeys: readonly KeyObject[];
  checkAccess: (claims: TokenClaims) => Promise<AdminCaller>;
  updateLanguage: UpdateLanguage;
};

/**
 * Authentication: checks the signature, the token record, the user and the block. withWorkspaceGuard
 * authorizes.
 */
export const createSecurity = ({ accessKeys, checkAccess, updateLanguage }: Dependencies) => {
  const verifyToken = createTokenVerifier();
  const authenticate: SecurityHandler<AdminCaller> = async (req) => {
    const claims = verifyToken(parseBearerToken(req.headers.authorization) ?? '', accessKeys);
    if (!claims) throw tokenInvalid();
    const caller = await checkAccess(claims);
    logCaller(req, caller);
    updateLanguage(caller.account, findLanguage(req));
    return caller;
  };
  return { [SCHEME]: authenticate };
};

/** @throws Error that lists the authenticated operations without exactly one role */
const requireOneRoleEach = (document: OpenApiDocument): void => {
  const invalid = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item)
      .filter(
        (operation) => 'security' in operation && (operation.security?.[0]?.[SCHEME]?.length ?? 1) !== 1,
      )
      .map(() => path),
  );
  if (invalid.length > 0) throw new Error(`Operations without a workspace role: ${invalid.join(', ')}`);
};

/**
 * Authorization: the security requirement of an operation names the platform role. The workspace is checked
 * first, because a second factor does not open another role's workspace.
 */
export const withWorkspaceGuard = (
  { [SCHEME]: authenticate }: ReturnType<typeof createSecurity>,
  document: OpenApiDocument,
  requireSecondFactor: SecondFactorRequirement,
) => {
  requireOneRoleEach(document);
  const authorize: SecurityHandler<AdminCaller> = async (req) => {
    const caller = await authenticate(req);
    const [role] = req.state.operation?.schema.security?.[0]?.[SCHEME] ?? [];
    if (role !== undefined) {
      requireWorkspace(caller, role as PlatformRole);
      requireSecondFactor(caller);
    }
    return caller;
  };
  return { [SCHEME]: authorize };
};

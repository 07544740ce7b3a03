import type { KeyObject } from 'node:crypto';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { OpenApiDocument } from '@platform/shared/openapi/openapi-document';
import type { SecurityHandler } from '@platform/shared/openapi/operation-router';
import type { SecondFactorRequirement, UpdatePreferences } from '@platform/shared/platform/access/caller';
import { logCaller } from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { createTokenVerifier, parseBearerToken, type TokenClaims } from '@platform/shared/tokens/tokens';
import { type AdminCaller, requireWorkspace } from './callers.ts';

const SCHEME = 'jwt-admin-access';

type BearerDependencies = {
  accessKeys: readonly KeyObject[];
  checkAccess: (claims: TokenClaims) => Promise<AdminCaller>;
  updatePreferences: UpdatePreferences;
};

/**
 * Authentication: checks the signature, the token record, the user and the block. createSecurity authorizes.
 */
export const createBearerAuthentication = ({
  accessKeys,
  checkAccess,
  updatePreferences,
}: BearerDependencies): SecurityHandler<AdminCaller> => {
  const verifyToken = createTokenVerifier();
  return async (req) => {
    const claims = verifyToken(parseBearerToken(req.headers.authorization) ?? '', accessKeys);
    if (!claims) throw tokenInvalid();
    const caller = await checkAccess(claims);
    logCaller(req, caller);
    updatePreferences(caller.account, req);
    return caller;
  };
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

type Dependencies = {
  authenticateBearer: SecurityHandler<AdminCaller>;
  requireSecondFactor: SecondFactorRequirement;
};

/**
 * A handler for each security scheme of the contract. The security requirement of an operation names the
 * platform role. The workspace is checked first, because a second factor does not open another role's
 * workspace.
 */
export const createSecurity = (
  document: OpenApiDocument,
  { authenticateBearer, requireSecondFactor }: Dependencies,
) => {
  requireOneRoleEach(document);
  const authorize: SecurityHandler<AdminCaller> = async (req, res) => {
    const caller = await authenticateBearer(req, res);
    const [role] = req.state.operation?.schema.security?.[0]?.[SCHEME] ?? [];
    if (role !== undefined) {
      requireWorkspace(caller, role as PlatformRole);
      requireSecondFactor(caller);
    }
    return caller;
  };
  return { [SCHEME]: authorize };
};

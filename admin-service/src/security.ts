import type { KeyObject } from 'node:crypto';
import type { PlatformRole } from '@platform/shared/access/platform-role';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import { findOperation, type SecurityHandler } from '@platform/shared/http/operation-router';
import { logCaller } from '@platform/shared/http/request-logging';
import { parseBearerToken, type TokenClaims, verifyToken } from '@platform/shared/tokens/tokens';
import type { RequestHandler } from 'express';
import { type AdminCaller, requireWorkspace } from './workspaces/workspace.ts';

type Dependencies = {
  accessKeys: readonly KeyObject[];
  checkAccess: (claims: TokenClaims) => Promise<AdminCaller>;
};

/** Authentication: signature, token record, user, block. Authorization is the workspace guard below. */
export const createSecurity = ({ accessKeys, checkAccess }: Dependencies) => {
  const access: SecurityHandler<AdminCaller> = async (req, res) => {
    const claims = verifyToken(parseBearerToken(req.headers.authorization) ?? '', accessKeys);
    if (!claims) throw tokenInvalid();
    const caller = await checkAccess(claims);
    logCaller(res, caller);
    return caller;
  };
  return { 'jwt-admin-access': access };
};

const SCHEME = 'jwt-admin-access';

/** @throws Error naming the guarded operations of the document that do not name the one role of their workspace. */
const requireWorkspaces = (document: OpenApiDocument): void => {
  const open = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item)
      .filter(
        (operation) => 'security' in operation && (operation.security?.[0]?.[SCHEME]?.length ?? 1) !== 1,
      )
      .map(() => path),
  );
  if (open.length > 0) throw new Error(`Operations without a workspace: ${open.join(', ')}`);
};

/** Authorization: an operation names the platform role that its workspace requires. */
export const createWorkspaceGuard = (document: OpenApiDocument): RequestHandler => {
  requireWorkspaces(document);
  return (req, res, next) => {
    const [role] = findOperation(req)?.security?.[0]?.[SCHEME] ?? [];
    if (role !== undefined) requireWorkspace(res.locals.caller as AdminCaller, role as PlatformRole);
    next();
  };
};

import type { KeyObject } from 'node:crypto';
import { tokenInvalid, unauthorized } from '@platform/shared/errors/app-error';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import { findOperation, type SecurityHandler } from '@platform/shared/http/operation-router';
import { logCaller } from '@platform/shared/http/request-logging';
import { parseBearerToken, verifyToken } from '@platform/shared/tokens/tokens';
import type { RequestHandler } from 'express';
import { type Caller, type PlatformRole, requireWorkspace } from './workspaces/workspace.ts';

type Dependencies = {
  accessKeys: readonly KeyObject[];
  findCaller: (jti: string, userId: string) => Promise<Omit<Caller, 'claimedRole'> | undefined>;
};

/** The first layer, who calls: signature, registration, user, block. The second is workspace-guard.ts. */
export const createSecurity = ({ accessKeys, findCaller }: Dependencies) => {
  const access: SecurityHandler<Caller> = async (req, res) => {
    const claims = verifyToken(parseBearerToken(req.headers.authorization) ?? '', accessKeys);
    const caller = claims && (await findCaller(claims.jti, claims.userId));
    if (!caller) throw tokenInvalid();
    if (caller.isBlocked) throw unauthorized('USER_BLOCKED', 'The user is blocked');
    logCaller(res, caller);
    return { ...caller, claimedRole: claims.platformRole };
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

/** The second layer, which workspace: the operation names the role that its caller needs. */
export const createWorkspaceGuard = (document: OpenApiDocument): RequestHandler => {
  requireWorkspaces(document);
  return (req, res, next) => {
    const [role] = findOperation(req)?.security?.[0]?.[SCHEME] ?? [];
    if (role !== undefined) requireWorkspace(res.locals.caller as Caller, role as PlatformRole);
    next();
  };
};

import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import { findOperation } from '@platform/shared/http/routing';
import type { RequestHandler } from 'express';
import { type Caller, type PlatformRole, requireWorkspace } from './workspaces/workspace.ts';

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

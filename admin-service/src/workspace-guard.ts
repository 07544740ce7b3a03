import { forbidden } from '@platform/shared/errors/app-error';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import { findOperation } from '@platform/shared/http/routing';
import type { RequestHandler } from 'express';
import type { Caller } from './workspaces/workspace.ts';

const SCHEME = 'jwt-admin-access';

/** @throws Error naming the guarded operations of the document that do not say whose workspace they belong to. */
const requireWorkspaces = (document: OpenApiDocument): void => {
  const open = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item)
      .filter((operation) => 'security' in operation && operation.security?.[0]?.[SCHEME]?.length === 0)
      .map(() => path),
  );
  if (open.length > 0) throw new Error(`Operations without a workspace: ${open.join(', ')}`);
};

/** The second layer, which workspace: the role that the token claims must be the one that the operation names. */
export const createWorkspaceGuard = (document: OpenApiDocument): RequestHandler => {
  requireWorkspaces(document);
  return (req, res, next) => {
    const required = findOperation(req)?.security?.[0]?.[SCHEME];
    const caller: Caller | undefined = res.locals.caller;
    if (required && !required.includes(caller?.claimedRole ?? ''))
      throw forbidden('WORKSPACE_FORBIDDEN', 'This workspace is not open to your platform role');
    next();
  };
};

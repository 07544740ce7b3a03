import type { KeyObject } from 'node:crypto';
import { tokenInvalid, unauthorized } from '@platform/shared/errors/app-error';
import { logCaller } from '@platform/shared/http/access-log';
import type { SecurityHandler } from '@platform/shared/http/security';
import { readBearer, readToken } from '@platform/shared/tokens/tokens';
import type { Caller } from './workspaces/workspace.ts';

type Dependencies = {
  accessKeys: readonly KeyObject[];
  findCaller: (jti: string, userId: string) => Promise<Omit<Caller, 'claimedRole'> | undefined>;
};

/** The first layer, who calls: signature, registration, user, block. The second is workspace-guard.ts. */
export const createSecurity = ({ accessKeys, findCaller }: Dependencies) => {
  const access: SecurityHandler<Caller> = async (req, res) => {
    const claims = readToken(readBearer(req.headers.authorization) ?? '', accessKeys);
    const caller = claims && (await findCaller(claims.jti, claims.userId));
    if (!caller) throw tokenInvalid();
    if (caller.isBlocked) throw unauthorized('USER_BLOCKED', 'The user is blocked');
    logCaller(res, caller);
    return { ...caller, claimedRole: claims.platformRole };
  };
  return { 'jwt-admin-access': access };
};

import type { ActiveToken, ServiceClient } from '@platform/client/service';
import type { Request } from 'express';
import { reject } from './errors.ts';

/**
 * Returns who sends the request. The result is not kept: a block, a sign-out or a removed role must take
 * effect at the next request.
 * @throws 401 without a valid token, 403 for the other kind of accounts
 */
export const requireCaller = async (
  platform: ServiceClient,
  req: Request,
  ...kinds: ActiveToken['kind'][]
): Promise<ActiveToken> => {
  const token = /^Bearer (\S+)$/i.exec(req.get('Authorization') ?? '')?.[1];
  const caller = token ? await platform.introspect(token, req.get('X-Fingerprint')) : undefined;
  if (!caller?.active) throw reject(401, 'TOKEN_INVALID');
  if (!kinds.includes(caller.kind)) throw reject(403, 'KIND_NOT_ALLOWED');
  return caller;
};

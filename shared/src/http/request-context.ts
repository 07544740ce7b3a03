import type { Request } from 'express';
import { getClientAddress } from '../network/client-address.ts';

/** The request id and the client address, which each audit record contains. */
export type RequestContext = { requestId: string; address: string };

export const toRequestContext = (req: Request): RequestContext => ({
  address: getClientAddress(req),
  requestId: req.state.requestId,
});

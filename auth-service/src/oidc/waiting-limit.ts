import { toClientSubnet } from '@platform/shared/http/client-address';
import { providerUnavailable } from './oidc.ts';

const MAX_WAITING = 10;
/** So that one client network leaves places for others. */
const MAX_WAITING_PER_NETWORK = 5;

/**
 * Limits the requests that wait for one provider, so that one that is away occupies neither requests nor sockets. What it answers
 * to one of them has no effect on the others.
 * @returns runs `work`. @throws AppError 503 OIDC_PROVIDER_UNAVAILABLE, at once
 */
export const createWaitingLimit = () => {
  const waiting = new Map<string, number>();
  let total = 0;
  return async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
    const network = toClientSubnet(address);
    const own = waiting.get(network) ?? 0;
    if (total >= MAX_WAITING || own >= MAX_WAITING_PER_NETWORK) throw providerUnavailable();
    total += 1;
    waiting.set(network, own + 1);
    try {
      return await work();
    } finally {
      total -= 1;
      const left = (waiting.get(network) ?? 1) - 1;
      if (left > 0) waiting.set(network, left);
      else waiting.delete(network);
    }
  };
};

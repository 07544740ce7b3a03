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
  const waiting: string[] = [];
  return async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
    const network = toClientSubnet(address);
    const own = waiting.filter((each) => each === network);
    if (waiting.length >= MAX_WAITING || own.length >= MAX_WAITING_PER_NETWORK) throw providerUnavailable();
    waiting.push(network);
    try {
      return await work();
    } finally {
      waiting.splice(waiting.indexOf(network), 1);
    }
  };
};

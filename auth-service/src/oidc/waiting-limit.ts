import { toClientSubnet } from '@platform/shared/network/client-address';
import { providerUnavailable } from './oidc.ts';

const MAX_WAITING = 10;
/** Lower than the total, so that one client network leaves room for others. */
const MAX_WAITING_PER_NETWORK = 5;

/**
 * Limits the requests that wait for one provider, so that an unavailable provider occupies neither requests
 * nor sockets. Its response to one request does not affect the others.
 * @returns a function that runs `work`. @throws AppError 503 OIDC_PROVIDER_UNAVAILABLE immediately
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

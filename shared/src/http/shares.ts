import { tooManyRequests } from '../errors/app-error.ts';
import { WIDER_NETWORK_FACTOR } from '../network/client-address.ts';

/** A client network with its wider one, or the name of another service. */
type ShareHolder = readonly [string] | readonly [string, string];

/**
 * Counts what each holder has in use. A holder may have `each`, the wider network of a client
 * `WIDER_NETWORK_FACTOR` times as much, and all together `total`. A holder that has nothing takes no memory.
 */
export const createShares = ({
  each,
  total = Number.POSITIVE_INFINITY,
}: {
  each: number;
  total?: number;
}) => {
  const held = new Map<string, number>();
  let sumOfAll = 0;
  const get = (holder: string): number => held.get(holder) ?? 0;
  return {
    isShareFull: (holders: ShareHolder, amount: number): boolean =>
      holders.some((holder, index) => get(holder) + amount > each * (index === 0 ? 1 : WIDER_NETWORK_FACTOR)),
    isFull: (amount: number): boolean => sumOfAll + amount > total,
    add: (holders: ShareHolder, amount: number): void => {
      sumOfAll += amount;
      for (const holder of holders) {
        const sum = get(holder) + amount;
        if (sum === 0) held.delete(holder);
        else held.set(holder, sum);
      }
    },
  };
};

export const tooManyRequestsAtOnce = () =>
  tooManyRequests('RATE_LIMITED', 'Too many requests at the same time; retry later.', 1);

import { WIDER_NETWORK_FACTOR } from '@platform/shared/network/client-address';
import type { HashRequester } from './password.ts';
import { toOrigin } from './round-robin.ts';

const MINUTE_MILLISECONDS = 60_000;
const PER_ACCOUNT = 1;
const PER_NETWORK = 5;

/**
 * Limits how often the password of a known device is hashed before others. A known device proves that the
 * sender does not guess, but an attacker with accounts has known devices, too, so each account and network may
 * go first only a few times a minute.
 */
export const createPriorityBudget = () => {
  const spent = new Map<string, number>();

  const giveBack = (subject: string): void => {
    const left = (spent.get(subject) ?? 1) - 1;
    if (left === 0) spent.delete(subject);
    else spent.set(subject, left);
  };

  return {
    /** False for an unknown device, and for a known one whose account or network has nothing left. */
    spend: ({ address, knownAccountId }: HashRequester): boolean => {
      if (knownAccountId === undefined) return false;
      const { network, widerNetwork } = toOrigin(address);
      const limits = new Map([
        [widerNetwork, PER_NETWORK * WIDER_NETWORK_FACTOR],
        [network, PER_NETWORK],
        [knownAccountId, PER_ACCOUNT],
      ]);
      if ([...limits].some(([subject, limit]) => (spent.get(subject) ?? 0) >= limit)) return false;
      for (const subject of limits.keys()) {
        spent.set(subject, (spent.get(subject) ?? 0) + 1);
        setTimeout(giveBack, MINUTE_MILLISECONDS, subject).unref();
      }
      return true;
    },
  };
};

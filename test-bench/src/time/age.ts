import type { AccountState } from '@platform/auth-service/accounts/account-state';

/** An account with what its rows and keys are found by, or an invitation, whose person has no account yet. */
export type AgedAccount = AccountState & { id: string; emails: string[]; tokenIds: string[] };

/** Something of the account that ends by itself. */
export type Lasting = { what: string; until: Date };

export type Aged = {
  /** The names of what has ended. */
  ended: string[];
  /** These things last still; the one that ends first comes first. */
  now: Lasting[];
};

export const toAged = (before: readonly Lasting[], seconds: number, now = Date.now()): Aged => {
  const moved = before.map(({ what, until }) => ({
    what,
    until: new Date(until.getTime() - seconds * 1_000),
  }));
  const isOver = ({ until }: Lasting): boolean => until.getTime() <= now;
  return {
    ended: [...new Set(moved.filter(isOver).map(({ what }) => what))].sort(),
    now: moved
      .filter((each) => !isOver(each))
      .toSorted((one, other) => one.until.getTime() - other.until.getTime()),
  };
};

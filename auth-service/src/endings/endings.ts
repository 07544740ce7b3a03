/**
 * The table of what each event ends, apart from the session that acts, which stays open. Each event also gives
 * the account a new version, which ends everything that was prepared before (`account-state.ts`).
 */
export type Ending = {
  /** A forgotten device counts as new at its next sign-in; otherwise only the tokens are deleted. */
  otherSessions: 'forgotten' | 'tokens-end';
  factors: 'removed' | 'stay';
  password: 'removed' | 'stays';
  /** Whether the user gets a mail if factors, identities or the password were removed. */
  isMailed: boolean;
};

/**
 * SECURITY.md has the whole table. `delete_account()` of the database ends everything at a deletion, and
 * admin-service ends what an ADMIN ends.
 */
export const ENDINGS = {
  /**
   * The account did not own its address until now: whoever signed up with it may be a stranger, who must keep
   * neither a session nor a factor.
   */
  'first-proof': { otherSessions: 'forgotten', factors: 'removed', password: 'stays', isMailed: true },
  /** A first proof by a provider, which does not know who has set the password. */
  'take-over': { otherSessions: 'forgotten', factors: 'removed', password: 'removed', isMailed: true },
  /** A first proof by the code of an invitation, whose acceptance mails the inviter only. */
  invitation: { otherSessions: 'forgotten', factors: 'removed', password: 'stays', isMailed: false },
  /** A reset by code, or a change of the address, after the first proof. */
  'further-proof': { otherSessions: 'forgotten', factors: 'stay', password: 'stays', isMailed: false },
  'password-change': { otherSessions: 'tokens-end', factors: 'stay', password: 'stays', isMailed: false },
} as const satisfies Record<string, Ending>;

export type EndingEvent = keyof typeof ENDINGS;

/**
 * The table of what each event ends, apart from the session that acts, which stays open. Each event also gives
 * the account a new version, which ends everything that was prepared before (`account-state.ts`).
 */
export type Ending = {
  /** A forgotten device counts as new at its next sign-in; otherwise only the tokens are deleted. */
  otherSessions: 'forgotten' | 'tokens-end';
  factors: 'removed' | 'stay';
  password: 'removed' | 'stays';
  /** Whether names and phone number are deleted, because a stranger may have chosen them. */
  profiles: 'cleared' | 'stay';
  /** Whether a customer without projects, or an employee without teams, loses that kind (`remove_unused_kinds()`). */
  unusedKinds: 'removed' | 'stay';
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
   * neither a session nor a factor. The session that proves the address has chosen names and phone number.
   */
  'first-proof': {
    otherSessions: 'forgotten',
    factors: 'removed',
    password: 'stays',
    profiles: 'stay',
    unusedKinds: 'stay',
    isMailed: true,
  },
  /** A first proof by a reset by code, from outside of a session. */
  'reset-proof': {
    otherSessions: 'forgotten',
    factors: 'removed',
    password: 'stays',
    profiles: 'cleared',
    unusedKinds: 'stay',
    isMailed: true,
  },
  /** A first proof by a provider, which does not know who has set the password. */
  'take-over': {
    otherSessions: 'forgotten',
    factors: 'removed',
    password: 'removed',
    profiles: 'cleared',
    unusedKinds: 'stay',
    isMailed: true,
  },
  /**
   * A first proof by the code of an invitation, whose acceptance mails the inviter only. The invited person has
   * not asked to be a customer or an employee.
   */
  invitation: {
    otherSessions: 'forgotten',
    factors: 'removed',
    password: 'stays',
    profiles: 'cleared',
    unusedKinds: 'removed',
    isMailed: false,
  },
  /** A reset by code, or a change of the address, after the first proof. */
  'further-proof': {
    otherSessions: 'forgotten',
    factors: 'stay',
    password: 'stays',
    profiles: 'stay',
    unusedKinds: 'stay',
    isMailed: false,
  },
  'password-change': {
    otherSessions: 'tokens-end',
    factors: 'stay',
    password: 'stays',
    profiles: 'stay',
    unusedKinds: 'stay',
    isMailed: false,
  },
} as const satisfies Record<string, Ending>;

export type EndingEvent = keyof typeof ENDINGS;

/**
 * The parts of an account that its first proof has removed, as the response to the sign-in names them. `profile`:
 * names and phone.
 */
export type RemovedByProof = 'password' | 'profile';

/** The sender of a password to be hashed. Under load, it decides which one is hashed next. */
export type HashRequester = {
  /** The client address. */
  address: string;
  /** The account to which the device has signed in from this network before. */
  knownAccountId?: string | undefined;
  /** The user, if one is signed in. */
  userId?: string | undefined;
  /** The time by performance.now() from which waiting is limited; by default, when each hash is wanted. */
  requestedAt?: number;
};

/** All hashes of a sign-in have one `requestedAt`, so that together they wait no longer than one may. */
export type SignInRequester = HashRequester & { requestedAt: number };

/** Accepts the prefix of any implementation, because the algorithm is the same. */
export const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

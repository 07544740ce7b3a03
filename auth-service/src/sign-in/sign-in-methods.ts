import type { Kind } from '../kinds.ts';

type Offers = {
  offersPasskeys: boolean;
  offersStay: (kind: Kind) => boolean;
  listProviders: (kind: Kind) => { id: string; name: string }[];
};

/** What a sign-in page has to know. */
export const createSignInMethods =
  ({ offersPasskeys, offersStay, listProviders }: Offers) =>
  (kind: Kind) => ({
    methods: ['password' as const, ...(offersPasskeys ? ['passkey' as const] : [])],
    staySignedIn: offersStay(kind),
    providers: listProviders(kind),
  });

export type ListSignInMethods = ReturnType<typeof createSignInMethods>;

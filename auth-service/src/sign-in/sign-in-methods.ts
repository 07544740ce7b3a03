import { KIND_CONFIGS, type Kind } from '../kinds.ts';

type Offers = {
  offersEmailCodes: boolean;
  offersPasskeys: boolean;
  offersStay: (kind: Kind) => boolean;
  listProviders: (kind: Kind) => { id: string; name: string }[];
};

/** Creates the function that lists, for a kind, everything that a sign-in page has to know. */
export const createSignInMethods =
  ({ offersEmailCodes, offersPasskeys, offersStay, listProviders }: Offers) =>
  (kind: Kind) => ({
    methods: [
      'password' as const,
      ...(offersEmailCodes && !KIND_CONFIGS[kind].hasPlatformRole ? ['email-code' as const] : []),
      ...(offersPasskeys ? ['passkey' as const] : []),
    ],
    staySignedIn: offersStay(kind),
    providers: listProviders(kind),
  });

export type ListSignInMethods = ReturnType<typeof createSignInMethods>;

import type { SignInMethod } from '@platform/shared/access/second-factor-requirement';
import type { AccountWithPassword } from '../accounts/account.ts';
import type { AuthConfig } from '../config.ts';
import type { Kind } from '../kinds.ts';
import type { Stores } from '../stores.ts';
import type { SignedIn, SignInDevice } from './session.ts';
import type { TokenIssuer } from './tokens-adapter.ts';

type Dependencies = { config: AuthConfig; tokens: TokenIssuer };

export const createSessionOpener =
  ({ config, tokens }: Dependencies) =>
  /**
   * Opens the session of a sign-in whose proofs are verified, within the transaction of `stores`. Undefined when the user is
   * blocked, or password or factors have changed since the account was read.
   */
  async (
    stores: Stores,
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
    methods: SignInMethod[],
  ): Promise<SignedIn | undefined> => {
    const pair = tokens.createTokenPair(kind, config.sessionMaxAgeSeconds);
    const opened = await stores.sessions.open(account, device, pair, methods);
    if (!opened) return undefined;
    const { session, isNewDevice } = opened;
    // Not to an unverified address, whose owner may be another person.
    if (config.newDeviceNotice && isNewDevice && account.isEmailVerified) {
      const { email: to, language } = account;
      const { address, requestId } = device.context;
      const signedInAt = session.updatedAt.toISOString();
      await stores.outbox.add({ template: 'new-device', to, language, signedInAt, address }, requestId);
    }
    return { ...tokens.signTokens(kind, account, pair), account, session };
  };

export type OpenSession = ReturnType<typeof createSessionOpener>;

import type { OnSessionOpened, OpenSession } from '../feature-types.ts';
import type { TokenIssuer } from './session-tokens.ts';

type Dependencies = {
  tokens: TokenIssuer;
  onSessionOpened: OnSessionOpened;
  /** The end of a session after its sign-in, however often it is refreshed; undefined sets no limit. */
  sessionMaxAgeSeconds: number | undefined;
};

export const createSessionOpener =
  ({ tokens, onSessionOpened, sessionMaxAgeSeconds }: Dependencies): OpenSession =>
  async (stores, kind, account, device, methods) => {
    const pair = tokens.createTokenPair(kind, sessionMaxAgeSeconds);
    const opened = await stores.sessions.open(account, device, pair, methods);
    if (!opened) return undefined;
    const { isNewDevice, ...session } = opened;
    await onSessionOpened(stores, { kind, account, session, isNewDevice, device });
    return { ...tokens.signTokens(kind, account, pair), account, session };
  };

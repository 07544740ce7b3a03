import { useSayStatus } from '../components/status.tsx';
import { Callback } from '../signing-in/callback.tsx';
import { takePlace } from '../signing-in/callback-url.ts';
import { CALLBACK } from '../signing-in/callback-words.ts';
import { endConnection } from '../signing-in/connection.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { useGoOn } from './go-on.ts';
import { useGoOnAfterSignIn } from './go-on-after-sign-in.ts';
import type { AccountKind } from './kinds.ts';

/** Completes a sign-in or a connection at a provider. */
export const CallbackPage = ({ kind }: { kind: AccountKind }) => {
  const words = useWords(CALLBACK);
  const goOn = useGoOn();
  const goOnSignedIn = useGoOnAfterSignIn();
  const say = useSayStatus();
  return (
    <Callback
      frame={card}
      onSignedIn={() => void goOnSignedIn(takePlace(`/account/${kind}/`) ?? '/')}
      onLinked={(provider) => {
        goOn(endConnection(kind));
        if (provider !== undefined) say(words.connected(provider));
      }}
      onLeave={() => undefined}
    />
  );
};

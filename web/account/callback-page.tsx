import { useSayStatus } from '../components/status.tsx';
import { Callback } from '../signing-in/callback.tsx';
import { readPlace, takePlace } from '../signing-in/callback-url.ts';
import { CALLBACK } from '../signing-in/callback-words.ts';
import { endConnection } from '../signing-in/connection.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { useGoOn } from './go-on.ts';
import { useGoOnAfterSignIn } from './go-on-after-sign-in.ts';
import type { AccountKind } from './kinds.ts';
import { OtherEntrances, OtherKind } from './other-entrances.tsx';
import { splitPlace } from './return-to.ts';

/** Completes a sign-in or a connection at a provider. */
export const CallbackPage = ({ kind }: { kind: AccountKind }) => {
  const words = useWords(CALLBACK);
  const goOn = useGoOn();
  const goOnSignedIn = useGoOnAfterSignIn();
  const say = useSayStatus();
  const base = `/account/${kind}/`;
  const query = `?${splitPlace(readPlace(base) ?? '').query}`;
  return (
    <Callback
      frame={card}
      onSignedIn={() => void goOnSignedIn(takePlace(base) ?? '/')}
      onLinked={(provider) => {
        goOn(endConnection(kind));
        if (provider !== undefined) say(words.connected(provider));
      }}
      takenHint={<OtherKind email="" query={query} />}
    >
      {(email) => <OtherEntrances email={email} query={query} />}
    </Callback>
  );
};

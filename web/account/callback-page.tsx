import { useSayStatus } from '../components/status.tsx';
import { Callback } from '../signing-in/callback.tsx';
import { takePlace } from '../signing-in/callback-url.ts';
import { CALLBACK } from '../signing-in/callback-words.ts';
import { endConnection } from '../signing-in/connection.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { useGoOn } from './go-on.ts';
import type { AccountKind } from './kinds.ts';

/** Completes a sign-in or a connection at a provider. */
export const CallbackPage = ({ kind }: { kind: AccountKind }) => {
  const words = useWords(CALLBACK);
  const goOn = useGoOn();
  const say = useSayStatus();
  return (
    <Callback
      frame={card}
      onSignedIn={() => goOn(takePlace(`/account/${kind}/`) ?? '/')}
      onLinked={(provider) => {
        goOn(endConnection(kind));
        if (provider !== undefined) say(words.connected(provider));
      }}
      onLeave={() => undefined}
    />
  );
};

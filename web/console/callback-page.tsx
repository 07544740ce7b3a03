import { useLocation } from 'wouter';
import type { Frame } from '../components/frame/sign-in-card.tsx';
import { useSayStatus } from '../components/status.tsx';
import { Callback } from '../signing-in/callback.tsx';
import { takePlace } from '../signing-in/callback-url.ts';
import { CALLBACK } from '../signing-in/callback-words.ts';
import { useWords } from '../words/words.ts';

type CallbackPageProps = { frame: Frame };

/** Completes a sign-in or a connection at a provider, whether or not somebody is signed in. */
export const CallbackPage = ({ frame }: CallbackPageProps) => {
  const [, navigate] = useLocation();
  const say = useSayStatus();
  const words = useWords(CALLBACK);
  return (
    <Callback
      frame={frame}
      onSignedIn={() => navigate(takePlace('/console/') ?? '/', { replace: true })}
      onLinked={(provider) => {
        navigate('/your-account', { replace: true });
        if (provider !== undefined) say(words.connected(provider));
      }}
    />
  );
};

import { isPlatformError, type SignInMethods } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { ProviderLogo } from '../components/provider-logo.tsx';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { toRedirectUri } from './callback-url.ts';
import { readLastUsed } from './last-used.ts';
import type { Stay } from './stay-signed-in.ts';

/** The mark stands on the frame of a button, so that it never meets a long name. */
export const Marked = ({ mark, children }: { mark: string | false; children: ReactNode }) => (
  <div className="sign-in-marked">
    {children}
    {mark && <span className="sign-in-mark">{mark}</span>}
  </div>
);

/** The method of this browser's last sign-in. It is read once, because signing in changes it. */
export const useLastUsed = (): ((method: string) => string | false) => {
  const words = useWords(SIGNING_IN);
  const { kind } = usePlatform();
  const [last] = useState(() => readLastUsed(kind, 'method'));
  return (method) => method === last && words.lastUsed;
};

type ProvidersProps = {
  providers: SignInMethods['providers'];
  stay?: Stay;
  /** Keeps this page, with what was typed, and opens the provider in another tab. */
  isInNewTab?: boolean;
  onLeave: () => void;
};

/** A button for each provider, which opens its page. */
export const Providers = ({ providers, stay = {}, isInNewTab = false, onLeave }: ProvidersProps) => {
  const words = useWords(SIGNING_IN);
  const platform = usePlatform();
  const { client } = platform;
  const markOf = useLastUsed();
  const [isOpened, setOpened] = useState(false);
  const leave = useMutation({
    mutationFn: async (id: string) => {
      onLeave();
      // Loaded after the first screen, like the passkeys.
      const { signInWith } = await import('@platform/client/oidc');
      const navigate = (url: string) => window.open(url, '_blank', 'noopener');
      const departure = { redirectUri: toRedirectUri(platform, id), ...stay };
      await signInWith(client, id, departure, isInNewTab ? { navigate } : {});
    },
    onSuccess: () => setOpened(isInNewTab),
  });
  const isAway = isPlatformError(leave.error, 'OIDC_PROVIDER_UNAVAILABLE');
  return (
    <>
      {providers.map(({ id, name }) => (
        <Marked key={id} mark={isAway && leave.variables === id ? words.notReachable : markOf(`oidc:${id}`)}>
          <Button
            isWide
            isBusy={leave.isPending && leave.variables === id}
            busyLabel={words.leaving(name)}
            onClick={() => leave.mutate(id)}
          >
            <ProviderLogo provider={id} />
            {words.continueWith(name)}
          </Button>
        </Marked>
      ))}
      {isOpened && <p className="small muted">{words.otherTab}</p>}
      <ErrorNotice error={leave.error} />
    </>
  );
};

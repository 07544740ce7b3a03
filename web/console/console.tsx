import type { AdministratorUser } from '@platform/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { SignInCard } from '../components/sign-in-card.tsx';
import { useSayStatus } from '../components/status.tsx';
import { WaitingBar, WaitingForScreen } from '../components/waiting.tsx';
import { type AnyClient, type Platform, PlatformProvider } from '../session/platform.ts';
import { createQueryClient } from '../session/queries.ts';
import { SessionGate, useSignedIn } from '../session/session-gate.tsx';
import { useIsEnrolmentDue } from '../session/use-enrolment-due.ts';
import { Callback } from '../signing-in/callback.tsx';
import { rememberPlace, takePlace } from '../signing-in/callback-url.ts';
import { CALLBACK } from '../signing-in/callback-words.ts';
import { SignIn } from '../signing-in/sign-in.tsx';
import { SignInAgain } from '../signing-in/sign-in-again.tsx';
import { useWords } from '../words/words.ts';
import { backOffice } from './back-office.ts';
import { useIsProofAsked } from './recent-proof/ask-for-proof.ts';
import { Screens } from './screens.tsx';

export const CALLBACK_PATH = '/console/callback';

const platform: Platform = {
  kind: 'administrator',
  // The console's client has the calls of every kind, and those of the back office besides.
  client: backOffice as unknown as AnyClient,
  callbackPath: CALLBACK_PATH,
};

const queries = createQueryClient(platform.client);

const Enrolment = lazy(async () => ({ default: (await import('../own-account/enrolment.tsx')).Enrolment }));

const Invitation = lazy(async () => ({ default: (await import('./invitation/invitation.tsx')).Invitation }));

const ProofDialog = lazy(async () => ({
  default: (await import('./recent-proof/proof-dialog.tsx')).ProofDialog,
}));

const card = (title: string, content: ReactNode) => <SignInCard title={title}>{content}</SignInCard>;

const SignedIn = () => {
  const { user } = useSignedIn();
  const isProofAsked = useIsProofAsked();
  if (useIsEnrolmentDue())
    return (
      <Suspense fallback={<WaitingForScreen />}>
        <Enrolment />
      </Suspense>
    );
  return (
    <>
      <Screens user={user as AdministratorUser} />
      {/* Its file is loaded over the page, which stays. */}
      <Suspense fallback={null}>{isProofAsked && <ProofDialog />}</Suspense>
    </>
  );
};

/** Completes a sign-in or a connection at a provider, whether or not somebody is signed in. */
const CallbackPage = () => {
  const [, navigate] = useLocation();
  const say = useSayStatus();
  const words = useWords(CALLBACK);
  return (
    <Callback
      frame={card}
      onSignedIn={() => navigate(takePlace('/console/') ?? '/', { replace: true })}
      onLinked={(provider) => {
        navigate('/your-account', { replace: true });
        if (provider !== undefined) say(words.connected(provider));
      }}
      onLeave={() => undefined}
    />
  );
};

export const Console = () => (
  <PlatformProvider value={platform}>
    <QueryClientProvider client={queries}>
      <WaitingBar />
      <Suspense fallback={<WaitingForScreen />}>
        <Switch>
          <Route path="/callback/:provider">
            <CallbackPage />
          </Route>
          <Route path="/invitation">
            <Invitation />
          </Route>
          <Route>
            <SessionGate
              signIn={(reason) => <SignIn frame={card} reason={reason} onLeave={rememberPlace} />}
              signInAgain={(props) => <SignInAgain {...props} />}
            >
              <SignedIn />
            </SessionGate>
          </Route>
        </Switch>
      </Suspense>
    </QueryClientProvider>
  </PlatformProvider>
);

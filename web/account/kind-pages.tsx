import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { PageMissing } from '../components/page-missing.tsx';
import { useSayStatus } from '../components/status.tsx';
import { WaitingForScreen } from '../components/waiting.tsx';
import { PlatformProvider } from '../session/platform.ts';
import { SessionGate } from '../session/session-gate.tsx';
import { Callback } from '../signing-in/callback.tsx';
import { takePlace } from '../signing-in/callback-url.ts';
import { SignInAgain } from '../signing-in/sign-in-again.tsx';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { useGoOn } from './go-on.ts';
import { type AccountKind, getPlatform } from './kinds.ts';
import { AccountSignIn, card, SignInPage } from './sign-in-page.tsx';
import { SignUpPage } from './sign-up-page.tsx';
import { VerificationPage } from './verification-page.tsx';

// Loaded when somebody is signed in: the page that signs in stays small.
const OwnAccountPage = lazy(async () => ({
  default: (await import('./own-account-page.tsx')).OwnAccountPage,
}));

/** Completes a sign-in or a connection at a provider. */
const CallbackPage = ({ kind }: { kind: AccountKind }) => {
  const words = useWords(OWN_ACCOUNT);
  const [, navigate] = useLocation();
  const goOn = useGoOn();
  const say = useSayStatus();
  return (
    <Callback
      frame={card}
      onSignedIn={() => goOn(takePlace(`/account/${kind}/`) ?? '/')}
      onLinked={(provider) => {
        navigate('/', { replace: true });
        say(words.connected(provider));
      }}
      onLeave={() => undefined}
    />
  );
};

/** Pages of who is signed in; others sign in at the same address. */
const SignedInPages = () => (
  <SessionGate
    signIn={(reason) => <AccountSignIn reason={reason} />}
    signInAgain={(props) => <SignInAgain {...props} />}
    onSignedOut={() => undefined}
  >
    <Suspense fallback={<WaitingForScreen />}>
      <Switch>
        <Route path="/">
          <OwnAccountPage isChangingPassword={false} />
        </Route>
        <Route path="/change-password">
          <OwnAccountPage isChangingPassword />
        </Route>
        <Route path="/verify">
          <VerificationPage />
        </Route>
        <Route>
          <PageMissing />
        </Route>
      </Switch>
    </Suspense>
  </SessionGate>
);

/** All pages of one kind. */
export const KindPages = ({ kind }: { kind: AccountKind }) => (
  <PlatformProvider value={getPlatform(kind)}>
    <Switch>
      <Route path="/sign-in">
        <SignInPage />
      </Route>
      <Route path="/sign-up">
        <SignUpPage />
      </Route>
      <Route path="/callback">
        <CallbackPage kind={kind} />
      </Route>
      <Route>
        <SignedInPages />
      </Route>
    </Switch>
  </PlatformProvider>
);

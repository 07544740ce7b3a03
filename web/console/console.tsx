import type { AdministratorUser } from '@platform/client';
import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { type Frame, SignInCard } from '../components/frame/sign-in-card.tsx';
import { lazyComponent } from '../components/lazy-component.ts';
import { WaitingForScreen } from '../components/waiting.tsx';
import { WithQueries } from '../components/with-queries.tsx';
import { type Platform, PlatformProvider } from '../session/platform.ts';
import { SessionGate, type SignInAgainProps, useSignedIn } from '../session/session-gate.tsx';
import { useIsEnrolmentDue } from '../session/use-enrolment-due.ts';
import { rememberPlace } from '../signing-in/callback-url.ts';
import { SignIn } from '../signing-in/sign-in.tsx';
import { SignInAgain } from '../signing-in/sign-in-again.tsx';
import { useProofQuestion } from './ask-for-proof.ts';
import { backOffice } from './back-office.ts';
import { Screens, useOwnName } from './screens.tsx';

export const CALLBACK_PATH = '/console/callback';

const platform: Platform = {
  kind: 'administrator',
  client: backOffice,
  callbackPath: CALLBACK_PATH,
};

const Enrolment = lazyComponent(() => import('../own-account/enrolment.tsx'), 'Enrolment');

const CallbackPage = lazyComponent(() => import('./callback-page.tsx'), 'CallbackPage');

const Invitation = lazyComponent(() => import('./invitation/invitation.tsx'), 'Invitation');

const ProofDialog = lazyComponent(() => import('./recent-proof/proof-dialog.tsx'), 'ProofDialog');

const card: Frame = (title, content, warning) => (
  <SignInCard title={title} warning={warning}>
    {content}
  </SignInCard>
);

const SignedIn = () => {
  const { user } = useSignedIn();
  const answerProof = useProofQuestion();
  if (useIsEnrolmentDue())
    return (
      <Suspense fallback={<WaitingForScreen />}>
        <Enrolment />
      </Suspense>
    );
  return (
    <>
      <Screens user={user as AdministratorUser} />
      {/* Without a fallback, so that the page stays while the file of the dialog is loaded. */}
      <Suspense fallback={null}>{answerProof && <ProofDialog onAnswer={answerProof} />}</Suspense>
    </>
  );
};

const ConsoleSignInAgain = (props: SignInAgainProps) => (
  <SignInAgain {...props} name={useOwnName({ enabled: false }) ?? undefined} />
);

/** @param invitationCode of the link that has opened the page; empty for any other page */
export const Console = ({ invitationCode }: { invitationCode: string }) => (
  <PlatformProvider value={platform}>
    <WithQueries>
      <Suspense fallback={<WaitingForScreen />}>
        <Switch>
          <Route path="/callback/:provider">
            <CallbackPage frame={card} />
          </Route>
          <Route path="/invitation">
            <Invitation code={invitationCode} />
          </Route>
          <Route>
            <SessionGate
              signIn={(reason) => <SignIn frame={card} reason={reason} onLeave={rememberPlace} />}
              signInAgain={(props) => <ConsoleSignInAgain {...props} />}
            >
              <SignedIn />
            </SessionGate>
          </Route>
        </Switch>
      </Suspense>
    </WithQueries>
  </PlatformProvider>
);

import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { FirstPaint } from '../components/frame/first-paint.tsx';
import { lazyComponent } from '../components/lazy-component.ts';
import { useMe, useOwnName } from '../own-account/queries.ts';
import { SessionGate, type SignInAgainProps } from '../session/session-gate.tsx';
import { SignInAgain } from '../signing-in/sign-in-again.tsx';
import { MissingPage } from './missing-page.tsx';
import { SignedOutPage } from './signed-out-page.tsx';
import { VerificationPage } from './verification-page.tsx';

const OwnAccountPage = lazyComponent(() => import('./own-account-page.tsx'), 'OwnAccountPage');

const ConnectPage = lazyComponent(() => import('./connect-page.tsx'), 'ConnectPage');

const PasskeyOfferPage = lazyComponent(() => import('./passkey-offer-page.tsx'), 'PasskeyOfferPage');

/** Waits until the platform has said that the session still exists, before a page names the person. */
const Confirmed = ({ children }: { children: ReactNode }) => {
  const { isPending } = useMe();
  return isPending ? <FirstPaint /> : children;
};

const AccountSignInAgain = (props: SignInAgainProps) => (
  <SignInAgain {...props} name={useOwnName({ enabled: false })} />
);

/** Pages of the signed-in person; others sign in at the same address. */
export const SignedInPages = () => (
  <SessionGate
    keepsUntouched={false}
    signIn={(reason, expired) => <SignedOutPage reason={reason} expired={expired} />}
    signInAgain={(props) => <AccountSignInAgain {...props} />}
  >
    <Confirmed>
      <Switch>
        <Route path="/">
          <OwnAccountPage isChangingPassword={false} />
        </Route>
        <Route path="/change-password">
          <OwnAccountPage isChangingPassword />
        </Route>
        <Route path="/connect" component={ConnectPage} />
        <Route path="/passkey" component={PasskeyOfferPage} />
        <Route path="/verify" component={VerificationPage} />
        <Route component={MissingPage} />
      </Switch>
    </Confirmed>
  </SessionGate>
);

import { type ComponentProps, useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { rememberPlace } from '../signing-in/callback-url.ts';
import { SignIn } from '../signing-in/sign-in.tsx';
import { rememberTypedEmail } from '../signing-in/steps.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { Entrance } from './entrance.tsx';
import { useGoOnAfterSignIn } from './go-on-after-sign-in.ts';
import { OtherEntrances, OtherKind } from './other-entrances.tsx';
import { findReturnTo, rememberReturnSite } from './return-site.ts';
import { ACCOUNT } from './words.ts';

/** Says "to continue to shop.example.com", if the settings list the site. */
const Destination = () => {
  const words = useWords(ACCOUNT);
  const url = findReturnTo(useSearch());
  if (!url || url.origin === window.location.origin) return null;
  return <p className="lead">{words.toContinue(url.host)}</p>;
};

type AccountSignInProps = Pick<
  ComponentProps<typeof SignIn>,
  'title' | 'email' | 'intro' | 'reason' | 'onDone'
>;

/** Every way to sign in, and a link to sign up. */
export const AccountSignIn = ({ reason, intro, ...props }: AccountSignInProps) => {
  const search = useSearch();
  const [, navigate] = useLocation();
  useEffect(() => rememberReturnSite(window.location.search), []);
  return (
    <SignIn
      frame={card}
      intro={intro ?? <Destination />}
      reason={reason}
      onForgotten={(email) => {
        rememberTypedEmail(email);
        navigate(`/reset-password${search}`, { state: { email } });
      }}
      onLeave={rememberPlace}
      wrongHint={(email) => <OtherKind email={email} />}
      {...props}
    >
      {(email) => <OtherEntrances email={email} />}
    </SignIn>
  );
};

export const SignInPage = () => {
  const goOn = useGoOnAfterSignIn();
  return (
    <Entrance>
      {({ reason, stay }) => (
        <AccountSignIn
          reason={reason}
          onDone={() => {
            stay();
            void goOn();
          }}
        />
      )}
    </Entrance>
  );
};

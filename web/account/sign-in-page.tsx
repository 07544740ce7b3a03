import { usePlatformSession } from '@platform/client/react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { SignInCard } from '../components/sign-in-card.tsx';
import { StatusLine, useDismissStatus } from '../components/status.tsx';
import { WaitingForScreen } from '../components/waiting.tsx';
import { usePlatform } from '../session/platform.ts';
import { rememberPlace } from '../signing-in/callback-url.ts';
import { SignIn } from '../signing-in/sign-in.tsx';
import { useWords } from '../words/words.ts';
import { useGoOn } from './go-on.ts';
import { ACCOUNT } from './words.ts';

// Most people who come here are not signed in.
const Continue = lazy(async () => ({ default: (await import('./continue.tsx')).Continue }));

export const card = (title: string, content: ReactNode): ReactNode => (
  <SignInCard title={title}>{content}</SignInCard>
);

/** A link to another entrance that keeps where the person wants to go, and the address that was typed. */
export const EntranceLink = ({ to, email, children }: { to: string; email: string; children: string }) => {
  // Not wouter's own hook, which decodes the query.
  const search = useSearch();
  return (
    <Link href={to + search} state={{ email }}>
      {children}
    </Link>
  );
};

/** The address that was typed on the page before: in the entry of the history, and in no address. */
export const readTypedEmail = (): string => {
  const { email } = (history.state ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : '';
};

/** Every way to sign in, and a link to sign up. */
export const AccountSignIn = ({ reason, onDone }: { reason?: string | undefined; onDone?: () => void }) => {
  const words = useWords(ACCOUNT);
  const dismiss = useDismissStatus();
  useEffect(() => dismiss, [dismiss]);
  return (
    <SignIn
      frame={card}
      // Says that the account is deleted.
      intro={<StatusLine />}
      reason={reason}
      initialEmail={readTypedEmail()}
      onLeave={rememberPlace}
      {...(onDone && { onDone })}
    >
      {(email) => (
        <p className="below">
          {words.noAccount}{' '}
          <EntranceLink to="/sign-up" email={email}>
            {words.signUp}
          </EntranceLink>
        </p>
      )}
    </SignIn>
  );
};

/**
 * The session changes before a sign-in on this page calls `onDone`. Only a session that is still here afterwards
 * comes from another tab.
 */
const OTHER_TAB_MILLISECONDS = 300;

export const SignInPage = () => {
  const words = useWords(ACCOUNT);
  const { client } = usePlatform();
  const { status, user, reason } = usePlatformSession(client);
  const goOn = useGoOn();
  // A sign-in on this page goes on by itself, so only who came here signed in, or did so in another tab, is asked.
  const [hasCome, setCome] = useState(status === 'signed-in');
  const hasSignedIn = useRef(false);
  useEffect(() => {
    if (status !== 'signed-in') return;
    const timer = setTimeout(() => setCome(!hasSignedIn.current), OTHER_TAB_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [status]);
  if (status === 'unknown') return null;
  if (hasCome && user)
    return card(
      words.signIn,
      <Suspense fallback={<WaitingForScreen />}>
        <Continue email={user.email} />
      </Suspense>,
    );
  if (hasCome && status === 'signed-out') setCome(false);
  const finish = (): void => {
    hasSignedIn.current = true;
    goOn();
  };
  return <AccountSignIn reason={reason} onDone={finish} />;
};

import { usePlatformSession } from '@platform/client/react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { FirstPaint } from '../components/frame/first-paint.tsx';
import { lazyComponent } from '../components/lazy-component.ts';
import { findOtherLinkedEmail } from '../session/mailed-code-link.ts';
import { usePlatform } from '../session/platform.ts';
import { rememberTypedEmail } from '../signing-in/steps.ts';

// Most people who come here are not signed in.
export const Continue = lazyComponent(() => import('./continue.tsx'), 'Continue');

/** A link to another entrance that keeps where the person wants to go, and the address that was typed. */
export const EntranceLink = ({ to, email, children }: { to: string; email: string; children: string }) => {
  // The hook of wouter's main entry decodes the query, which must stay as it is written.
  const search = useSearch();
  return (
    <Link href={to + search} state={{ email }} onClick={() => rememberTypedEmail(email)}>
      {children}
    </Link>
  );
};

/**
 * The session changes before a sign-in on this page calls `onDone`. Only a session that is still here afterwards
 * comes from another tab.
 */
const OTHER_TAB_MILLISECONDS = 300;

type EntranceProps = {
  isSignUp?: boolean;
  /** Asks only people who have opened a mail's link for another account. */
  isForLinks?: boolean;
  /** The page without a session. It calls `stay` before it signs in, so that the person is not asked. */
  children: (page: { reason: string | undefined; stay: () => void }) => ReactNode;
};

/** Asks a person who is signed in already whether to go on. */
export const Entrance = ({ isSignUp = false, isForLinks = false, children }: EntranceProps) => {
  const { client } = usePlatform();
  const { status, user, reason } = usePlatformSession(client);
  // A sign-in on this page goes on by itself, so only who came here signed in, or did so in another tab, is asked.
  const [hasCome, setCome] = useState(status === 'signed-in');
  const [isStaying, setStaying] = useState(false);
  useEffect(() => {
    if (status !== 'signed-in' || isStaying) return;
    const timer = setTimeout(() => setCome(true), OTHER_TAB_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [status, isStaying]);
  if (status === 'unknown') return <FirstPaint />;
  const linkedEmail = user && findOtherLinkedEmail(user.email);
  if (hasCome && user && !isStaying && (linkedEmail || !isForLinks))
    return (
      <Suspense fallback={<FirstPaint />}>
        <Continue user={user} isSignUp={isSignUp} linkedEmail={linkedEmail} />
      </Suspense>
    );
  if (hasCome && status === 'signed-out') setCome(false);
  return children({ reason, stay: () => setStaying(true) });
};

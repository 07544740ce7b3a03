import type { SessionSnapshot } from '@platform/client';
import { usePlatformSession } from '@platform/client/react';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { deleteDrafts } from './drafts.ts';
import { endEnrolment } from './enrolment.ts';
import { usePlatform } from './platform.ts';

type User = NonNullable<SessionSnapshot['user']>;

/** Reasons for which a session ends without an action of the user, who signs in again on the same page. */
const EXPIRIES: readonly unknown[] = [
  'TOKEN_INVALID',
  'REFRESH_TOKEN_REUSED',
  'SESSION_NOT_FOUND',
  'VALIDATION_FAILED',
];

type Gate = {
  user: User;
  /** Asks the signed-in person to sign in again, as a proof; resolves when they have, or have cancelled. */
  signInAgain: () => Promise<void>;
};

const Context = createContext<Gate | undefined>(undefined);

export const useSignedIn = (): Gate => {
  const gate = useContext(Context);
  if (!gate) throw new Error('Nobody is signed in here');
  return gate;
};

export type SignInAgainProps = {
  email: string;
  /** Undefined if the session has expired, so that there is nothing to go back to. */
  onCancel: (() => void) | undefined;
  onDone: () => void;
};

type SessionGateProps = {
  /** The page that signs in. */
  signIn: (reason: SessionSnapshot['reason']) => ReactNode;
  signInAgain: (props: SignInAgainProps) => ReactNode;
  /** Forgets the data of the person who has signed out. */
  onSignedOut: () => void;
  children: ReactNode;
};

/**
 * Shows the pages to who is signed in, and the sign-in page to others. When the session expires, the page stays,
 * with what was typed, and a dialog signs in again. Another user gets an empty page.
 */
export const SessionGate = ({ signIn, signInAgain, onSignedOut, children }: SessionGateProps) => {
  const { client } = usePlatform();
  const { status, user, reason } = usePlatformSession(client);
  const known = useRef<User>(undefined);
  const [proof, setProof] = useState<{ done: () => void }>();

  const isAnother = user !== undefined && known.current !== undefined && known.current.id !== user.id;
  const isExpired = status === 'signed-out' && known.current !== undefined && EXPIRIES.includes(reason);
  const hasLeft = status === 'signed-out' && known.current !== undefined && !isExpired;
  if (user && !isAnother) known.current = user;
  const current = user ?? known.current;

  useEffect(() => {
    if (isAnother) {
      deleteDrafts();
      window.location.reload();
    }
    if (hasLeft) {
      known.current = undefined;
      deleteDrafts();
      endEnrolment();
      onSignedOut();
    }
  }, [isAnother, hasLeft, onSignedOut]);

  const gate = useMemo<Gate | undefined>(
    () =>
      current && {
        user: current,
        signInAgain: () => new Promise<void>((done) => setProof({ done })),
      },
    [current],
  );
  const finish = (): void => {
    proof?.done();
    setProof(undefined);
  };

  if (status === 'unknown' || isAnother) return null;
  if (!gate || hasLeft) return signIn(reason);
  return (
    <Context value={gate}>
      {children}
      {(isExpired || proof) &&
        signInAgain({ email: gate.user.email, onCancel: isExpired ? undefined : finish, onDone: finish })}
    </Context>
  );
};

import type { SessionSnapshot } from '@platform/client';
import { usePlatformSession } from '@platform/client/react';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useHasUnsaved } from './drafts.ts';
import { deleteFarewell, readFarewell, saveFarewell } from './farewell.ts';
import { forgetPerson } from './forget-person.ts';
import { restoreLink } from './mailed-code-link.ts';
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
  /**
   * The page that signs in.
   * @param reason why nobody is signed in: a `SignOutReason`, or ACCOUNT_DELETED
   * @param expired the person whose session has ended without their action
   */
  signIn: (reason: string | undefined, expired: User | undefined) => ReactNode;
  signInAgain: (props: SignInAgainProps) => ReactNode;
  /**
   * Whether the page of an expired session stays, with a dialog that signs in again, although nothing that was typed
   * waits to be sent. Otherwise the sign-in page takes its place, and names nobody: others may use the computer.
   */
  keepsUntouched?: boolean;
  children: ReactNode;
};

/** The person whose page is shown, also after the session has expired, if `keeps` says so. */
const useKnownUser = ({ status, user, reason }: SessionSnapshot, keeps: boolean) => {
  const [known, setKnown] = useState<{ user: User; hasLeft: boolean }>();
  const hasEnded = status === 'signed-out' && EXPIRIES.includes(reason);
  const isExpired = keeps && hasEnded;
  const isKnown = known !== undefined && !known.hasLeft;
  const isAnother = isKnown && user !== undefined && known.user.id !== user.id;
  if (user && !isAnother && (!isKnown || known.user !== user)) setKnown({ user, hasLeft: false });
  if (isKnown && status === 'signed-out' && !isExpired) setKnown({ ...known, hasLeft: true });
  const current = user ?? (isKnown ? known.user : undefined);
  const expired = hasEnded ? known?.user : undefined;
  return { current, expired, isExpired, isAnother, hasLeft: known?.hasLeft === true };
};

/** Loads the page again, so that nothing of the person stays in its memory. */
const loadAfterSignOut = (): void => {
  if (readFarewell() === undefined) saveFarewell('SIGNED_OUT');
  // The person may have signed out to follow a mail's link to another address.
  restoreLink();
  window.location.reload();
};

/**
 * Shows its pages to a signed-in person, and the sign-in page to others. When the session expires, the page stays,
 * with what was typed, and a dialog signs in again. Another user gets an empty page.
 */
export const SessionGate = ({ signIn, signInAgain, keepsUntouched = true, children }: SessionGateProps) => {
  const { client } = usePlatform();
  const session = usePlatformSession(client);
  const isTouched = useHasUnsaved();
  const { current, expired, isExpired, isAnother, hasLeft } = useKnownUser(
    session,
    isTouched || keepsUntouched,
  );
  const [proof, setProof] = useState<{ done: () => void }>();
  const [farewell] = useState(readFarewell);
  const hasSignedOut = hasLeft && session.reason === 'SIGNED_OUT';

  // The page says it once, and not after another reload.
  useEffect(deleteFarewell, []);

  useEffect(() => {
    if (!hasLeft) return;
    forgetPerson();
    // The state of the entry may have a search or an address.
    history.replaceState(null, '');
    if (hasSignedOut) loadAfterSignOut();
  }, [hasLeft, hasSignedOut]);
  useEffect(() => {
    if (!isAnother) return;
    forgetPerson();
    window.location.reload();
  }, [isAnother]);

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

  if (session.status === 'unknown' || isAnother || hasSignedOut) return null;
  if (!gate) return signIn(session.reason ?? farewell, expired);
  return (
    <Context value={gate}>
      {children}
      {(isExpired || proof) &&
        signInAgain({ email: gate.user.email, onCancel: isExpired ? undefined : finish, onDone: finish })}
    </Context>
  );
};

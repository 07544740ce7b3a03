import { useState } from 'react';
import { useLocation } from 'wouter';
import { Notice } from '../components/notice.tsx';
import { useMe } from '../own-account/queries.ts';
import { readLinkedCode } from '../session/mailed-code-link.ts';
import { useWords } from '../words/words.ts';
import { AccountSignIn } from './sign-in-page.tsx';
import { VERIFICATION } from './verification-words.ts';

/** For the device on which somebody signed up: people open the mail on another one. */
const LinkedCode = ({ digits }: { digits: string }) => {
  const words = useWords(VERIFICATION);
  return (
    <>
      <p className="lead">{words.enterThere}</p>
      <p className="large-code">{digits.replace(/^.../, '$& ')}</p>
      <div className="or">{words.orSignIn}</div>
    </>
  );
};

/** Shorter than a session lives without being used. */
const RECENT_MILLISECONDS = 1_800_000;

/** Whether a session that was alive a moment ago has ended while its address was not verified: the verification ends it. */
const useIsVerifiedElsewhere = (expired: { isEmailVerified: boolean } | undefined): boolean => {
  const { dataUpdatedAt } = useMe({ enabled: false });
  // The page forgets when it has asked last.
  const [wasAlive] = useState(() => Date.now() - dataUpdatedAt < RECENT_MILLISECONDS);
  return wasAlive && expired?.isEmailVerified === false;
};

type SignedOutPageProps = {
  reason: string | undefined;
  expired: { email: string; isEmailVerified: boolean } | undefined;
};

/** The sign-in in place of a page for who is signed in. */
export const SignedOutPage = ({ reason, expired }: SignedOutPageProps) => {
  const words = useWords(VERIFICATION);
  const [location] = useLocation();
  const linked = location === '/verify' ? readLinkedCode() : undefined;
  if (useIsVerifiedElsewhere(expired))
    return <AccountSignIn email={expired?.email} intro={<Notice>{words.verifiedElsewhere}</Notice>} />;
  if (linked)
    return (
      <AccountSignIn
        title={words.verify}
        email={linked.email}
        intro={<LinkedCode digits={linked.digits} />}
        reason={reason}
      />
    );
  return <AccountSignIn reason={reason} />;
};

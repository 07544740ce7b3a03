import { useState } from 'react';
import { useLocation } from 'wouter';
import { Notice } from '../components/notice.tsx';
import { useMe } from '../own-account/queries.ts';
import { readLinkedCode } from '../session/mailed-code-link.ts';
import { useWords } from '../words/words.ts';
import { AccountSignIn } from './sign-in-page.tsx';
import { VERIFICATION } from './verification-words.ts';

/** Shows the digits of the link, to type on the device of the sign-up: many people open the mail on another one. */
const LinkedCode = ({ digits }: { digits: string }) => {
  const words = useWords(VERIFICATION);
  return (
    <>
      <p className="lead">{words.enterThere}</p>
      <p className="code-large">{digits.replace(/^.../, '$& ')}</p>
      <div className="sign-in-or">{words.orSignIn}</div>
    </>
  );
};

/** A session lives longer than this without being used, so one that was alive has been ended. */
const RECENT_MILLISECONDS = 1_800_000;

/**
 * Whether a session that was alive a moment ago has ended while its address was not verified: the verification ends
 * it.
 */
const useIsVerifiedElsewhere = (expired: { isEmailVerified: boolean } | undefined): boolean => {
  const { dataUpdatedAt } = useMe({ enabled: false });
  // Only at the first rendering: the loaded data are deleted afterwards.
  const [wasAlive] = useState(() => Date.now() - dataUpdatedAt < RECENT_MILLISECONDS);
  return wasAlive && expired?.isEmailVerified === false;
};

type SignedOutPageProps = {
  reason: string | undefined;
  expired: { email: string; isEmailVerified: boolean } | undefined;
};

/** The sign-in, in place of a page of the signed-in person. */
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

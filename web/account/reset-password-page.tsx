import { isPlatformError } from '@platform/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { Blocked } from '../signing-in/blocked.tsx';
import { ForgottenPassword } from '../signing-in/forgotten-password.tsx';
import { useSignInMethods } from '../signing-in/sign-in-methods.ts';
import { useStaySignedIn } from '../signing-in/stay-signed-in.ts';
import { readTypedEmail, SECOND_STEP_STATE } from '../signing-in/steps.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { Entrance } from './entrance.tsx';
import { useGoOn } from './go-on.ts';
import { OtherEntrances } from './other-entrances.tsx';

const ResetPassword = () => {
  const words = useWords(SIGNING_IN);
  const search = useSearch();
  const [, navigate] = useLocation();
  const goOn = useGoOn();
  const [email, setEmail] = useState(readTypedEmail);
  const [isBlocked, setBlocked] = useState(false);
  const { stay } = useStaySignedIn(useSignInMethods()?.staySignedIn === true);
  const back = () => navigate(`/sign-in${search}`, { state: { email } });
  if (isBlocked) return <Blocked frame={card} email={email} onOther={back} />;
  return card(
    words.resetPassword,
    <ForgottenPassword
      email={email}
      stay={stay}
      onEmail={setEmail}
      onSecondStep={() =>
        navigate(`/sign-in${search}`, { replace: true, state: { ...SECOND_STEP_STATE, email } })
      }
      onDone={() => goOn()}
      onBack={back}
      onError={(error) => setBlocked(isPlatformError(error, 'USER_BLOCKED'))}
    >
      <OtherEntrances email={email} />
    </ForgottenPassword>,
  );
};

/** Has an address of its own, so that mails and other pages can lead to it, and a reload keeps the step. */
export const ResetPasswordPage = () => <Entrance isForLinks>{() => <ResetPassword />}</Entrance>;

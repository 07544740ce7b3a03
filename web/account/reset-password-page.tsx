import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { ForgottenPassword } from '../signing-in/forgotten-password.tsx';
import { useSignInMethods } from '../signing-in/sign-in-methods.ts';
import { useStaySignedIn } from '../signing-in/stay-signed-in.ts';
import { readTypedEmail, SECOND_STEP_STATE } from '../signing-in/steps.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { useGoOn } from './go-on.ts';

/** Has an address of its own, so that mails and other pages can lead to it, and a reload keeps the step. */
export const ResetPasswordPage = () => {
  const words = useWords(SIGNING_IN);
  const search = useSearch();
  const [, navigate] = useLocation();
  const goOn = useGoOn();
  const [email, setEmail] = useState(readTypedEmail);
  const { stay } = useStaySignedIn(useSignInMethods()?.staySignedIn === true);
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
      onBack={() => navigate(`/sign-in${search}`, { state: { email } })}
    />,
  );
};

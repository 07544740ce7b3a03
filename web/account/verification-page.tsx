import { useState } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { Button } from '../components/button.tsx';
import { useSayStatus } from '../components/status.tsx';
import { VerifyStep } from '../own-account/verify-step.tsx';
import { findOtherLinkedEmail } from '../session/mailed-code-link.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { useSentCode } from '../signing-in/mailed-code.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { CORRECTION, CorrectAddress } from './correct-address.tsx';
import { Continue } from './entrance.tsx';
import { useGoOn } from './go-on.ts';
import { findReturnTo } from './return-site.ts';
import { VERIFICATION } from './verification-words.ts';

const Verification = () => {
  const words = useWords(VERIFICATION);
  const goOn = useGoOn();
  const say = useSayStatus();
  const returnTo = findReturnTo(useSearch());
  const hasCorrected = useSentCode(CORRECTION) !== undefined;
  const [isCorrecting, setCorrecting] = useState(hasCorrected);
  const finish = (): void => {
    goOn();
    say(words.verifiedNow);
  };
  const later = (
    <div>
      <Button look="link" onClick={() => goOn()}>
        {words.later}
      </Button>
    </div>
  );
  return card(
    words.verify,
    isCorrecting ? (
      <>
        <CorrectAddress onDone={finish} onBack={() => setCorrecting(false)} />
        {later}
      </>
    ) : (
      <VerifyStep returnTo={returnTo?.href} onDone={finish} onChangeAddress={() => setCorrecting(true)}>
        {later}
      </VerifyStep>
    ),
  );
};

export const VerificationPage = () => {
  const { user } = useSignedIn();
  const linkedEmail = findOtherLinkedEmail(user.email);
  return linkedEmail === undefined ? <Verification /> : <Continue user={user} linkedEmail={linkedEmail} />;
};

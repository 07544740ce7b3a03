import { isPlatformError } from '@platform/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { useSayStatus } from '../components/status.tsx';
import { findLinkedDigits } from '../session/mailed-code-link.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { CodeStep } from '../signing-in/code-step.tsx';
import { useMailedCode, useSentCode } from '../signing-in/mailed-code.ts';
import { MAILED_CODE } from '../signing-in/mailed-code-words.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { CORRECTION, CorrectAddress } from './correct-address.tsx';
import { useGoOn } from './go-on.ts';
import { VERIFICATION } from './verification-words.ts';

type VerifyProps = { onDone: () => void; onChangeAddress: () => void };

/**
 * Sends a code when it is opened, unless a link brought one. After a reload, the code that was sent before is still
 * valid.
 */
const Verify = ({ onDone, onChangeAddress }: VerifyProps) => {
  const words = useWords(MAILED_CODE);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const mailed = { purpose: 'verification', email: user.email };
  const isLinked = findLinkedDigits({ ...mailed, round: 0 }) !== '';
  const code = useMailedCode({
    ...mailed,
    onSend: () => client.sendVerificationCode(),
    // A sign-in has replaced the entry of the history that says so.
    resendAt: isLinked ? 0 : undefined,
    isDue: !user.isEmailVerified,
  });
  const verify = async (digits: string): Promise<void> => {
    await client.verifyEmail(digits).catch((error: unknown) => {
      if (!isPlatformError(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
    });
    onDone();
  };
  return <CodeStep code={code} sentence={words.sentTo} onCode={verify} onChangeAddress={onChangeAddress} />;
};

export const VerificationPage = () => {
  const words = useWords(VERIFICATION);
  const { user } = useSignedIn();
  const goOn = useGoOn();
  const say = useSayStatus();
  const hasCorrected = useSentCode(CORRECTION) !== undefined;
  const [isCorrecting, setCorrecting] = useState(hasCorrected);
  const leave = useEffectEvent(() => goOn());
  // Also in a tab that waits while the link of the mail opens another one.
  useEffect(() => {
    if (user.isEmailVerified) leave();
  }, [user.isEmailVerified]);
  const finish = (): void => {
    goOn();
    say(words.verifiedNow);
  };
  return card(
    words.verify,
    <>
      {isCorrecting ? (
        <CorrectAddress onDone={finish} onBack={() => setCorrecting(false)} />
      ) : (
        <Verify onDone={finish} onChangeAddress={() => setCorrecting(true)} />
      )}
      <div>
        <Button look="link" onClick={() => goOn()}>
          {words.later}
        </Button>
      </div>
    </>,
  );
};

import { isPlatformError } from '@platform/client';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '../components/button.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { CodeStep } from '../signing-in/code-step.tsx';
import { useMailedCode } from '../signing-in/mailed-code.ts';
import { MAILED_CODE } from '../signing-in/mailed-code-words.ts';
import { useWords } from '../words/words.ts';
import { useGoOn } from './go-on.ts';
import { card } from './sign-in-page.tsx';
import { VERIFICATION } from './verification-words.ts';

/** Sends a code when it is opened; after a reload, the one that was sent before is still valid. */
export const VerificationPage = () => {
  const words = { ...useWords(VERIFICATION), ...useWords(MAILED_CODE) };
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const goOn = useGoOn();
  const code = useMailedCode({
    purpose: 'verification',
    email: user.email,
    onSend: () => client.sendVerificationCode(),
    isDue: !user.isEmailVerified,
  });
  const begin = useEffectEvent(() => {
    if (user.isEmailVerified) goOn();
  });
  useEffect(() => begin(), []);
  const verify = async (digits: string): Promise<void> => {
    await client.verifyEmail(digits).catch((error: unknown) => {
      if (!isPlatformError(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
    });
    goOn();
  };
  return card(
    words.verify,
    <>
      <CodeStep code={code} sentence={words.sentTo} onCode={verify} />
      <Button look="link" onClick={() => goOn()}>
        {words.later}
      </Button>
    </>,
  );
};

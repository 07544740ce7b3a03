import { isPlatformError } from '@platform/client';
import { useEffect, useState } from 'react';
import { useAction } from '../components/action.ts';
import { Button } from '../components/button.tsx';
import { CodeField, toDigits } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { SendAgain, sendCode } from '../signing-in/mailed-code.tsx';
import { useWords } from '../words/words.ts';
import { useGoOn } from './go-on.ts';
import { card } from './sign-in-page.tsx';
import { ACCOUNT } from './words.ts';

/** Sends a code when it is opened; after a reload, the one that was sent before is still valid. */
export const VerificationPage = () => {
  const words = useWords(ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const goOn = useGoOn();
  const [resendAt, setResendAt] = useState<number>();
  const send = useAction(async () => setResendAt(await sendCode(() => client.sendVerificationCode())));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; React may call an effect twice, and the action runs once.
  useEffect(() => {
    if (user.isEmailVerified) goOn();
    else void send.run();
  }, []);
  useStepFocus('verify');
  const verify = async (code: string): Promise<void> => {
    await client.verifyEmail(code).catch((error: unknown) => {
      if (!isPlatformError(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
    });
    goOn();
  };
  return card(
    words.verify,
    <>
      <ErrorNotice error={send.error} />
      {resendAt !== undefined && <p>{words.codeSent(user.email)}</p>}
      {resendAt === undefined && send.error === undefined && <p>{words.sendingCode}</p>}
      <Form
        submit={words.verifyButton}
        submitting={words.verifying}
        isWide
        onSubmit={(read) => verify(toDigits(read('code')))}
      >
        <CodeField name="code" label={words.mailCode} invalid={words.mailCodeInvalid} />
      </Form>
      <SendAgain resendAt={resendAt ?? 0} onSend={send.run} />
      <Button look="link" onClick={() => goOn()}>
        {words.later}
      </Button>
    </>,
  );
};

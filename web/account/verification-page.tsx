import { isPlatformError } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '../components/button.tsx';
import { CodeField, toDigits } from '../components/fields.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { SendAgain, useCodeOnArrival } from '../signing-in/mailed-code.tsx';
import { useWords } from '../words/words.ts';
import { useGoOn } from './go-on.ts';
import { card } from './sign-in-page.tsx';
import { VERIFICATION } from './verification-words.ts';

/** Sends a code when it is opened; after a reload, the one that was sent before is still valid. */
export const VerificationPage = () => {
  const words = useWords(VERIFICATION);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const goOn = useGoOn();
  const send = useCodeOnArrival('verification', () => client.sendVerificationCode(), {
    isDue: !user.isEmailVerified,
  });
  const resendAt = send.data;
  const begin = useEffectEvent(() => {
    if (user.isEmailVerified) goOn();
  });
  useEffect(() => begin(), []);
  useStepFocus('verify');
  const verify = useMutation({
    mutationFn: (read: ReadField) =>
      client.verifyEmail(toDigits(read('code'))).catch((error: unknown) => {
        if (!isPlatformError(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
      }),
    onSuccess: () => goOn(),
  });
  return card(
    words.verify,
    <>
      <ErrorNotice error={send.error} />
      {resendAt !== undefined && <p>{words.codeSent(user.email)}</p>}
      {resendAt === undefined && send.error === null && <p>{words.sendingCode}</p>}
      <Form submit={words.verifyButton} submitting={words.verifying} isWide mutation={verify}>
        <CodeField name="code" label={words.mailCode} invalid={words.mailCodeInvalid} />
      </Form>
      <SendAgain resendAt={resendAt ?? 0} onSend={() => send.mutateAsync()} />
      <Button look="link" onClick={() => goOn()}>
        {words.later}
      </Button>
    </>,
  );
};

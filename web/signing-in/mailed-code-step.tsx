import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CodeField, toDigits } from '../components/fields.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { SendAgain, useCodeOnArrival } from './mailed-code.tsx';
import { MAILED_CODE } from './mailed-code-words.ts';

type MailedCodeStepProps = {
  /** Where the code was sent, said as soon as it was. */
  sentence: ReactNode;
  onSend: () => Promise<{ resendIn: number }>;
  onCode: (code: string) => Promise<unknown>;
  /** After either of them has failed. */
  onError?: (error: unknown) => void;
};

/** Sends a code on arrival, and takes it. Six digits send themselves. */
export const MailedCodeStep = ({ sentence, onSend, onCode, onError }: MailedCodeStepProps) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(MAILED_CODE) };
  const send = useCodeOnArrival('sign-in', onSend, { onError });
  const check = useMutation({
    mutationFn: (read: ReadField) => onCode(toDigits(read('code'))),
    ...(onError && { onError }),
  });
  useStepFocus('code');
  return (
    <>
      <ErrorNotice error={send.error} />
      {send.data !== undefined && <p>{sentence}</p>}
      {send.data === undefined && send.error === null && <p>{words.sendingCode}</p>}
      <Form submit={words.signIn} submitting={words.checking} isWide mutation={check}>
        <CodeField
          name="code"
          label={words.code}
          invalid={words.codeMissing}
          onInput={({ currentTarget }) => {
            if (toDigits(currentTarget.value).length === 6) currentTarget.form?.requestSubmit();
          }}
        />
      </Form>
      <p className="muted small">{words.spam}</p>
      <SendAgain resendAt={send.data ?? 0} onSend={() => send.mutateAsync()} />
    </>
  );
};

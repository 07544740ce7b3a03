import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { CodeField, HiddenUsername, PasswordField, TextField, toDigits } from '../components/fields.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { FORGOTTEN } from './forgotten-words.ts';
import { SendAgain, sendCode } from './mailed-code.tsx';
import { type SecondStep, signInOrAsk } from './second-step.ts';
import type { Stay } from './stay-signed-in.ts';

type SentCode = { email: string; resendAt: number };

type ForgottenPasswordProps = {
  email: string;
  stay: Stay;
  onEmail: (email: string) => void;
  onSecondStep: (step: SecondStep) => void;
  onDone: () => void;
  onBack: () => void;
};

/** Sends a code, sets a new password with it, and signs in with the new one. */
export const ForgottenPassword = ({
  email,
  stay,
  onEmail,
  onSecondStep,
  onDone,
  onBack,
}: ForgottenPasswordProps) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(FORGOTTEN) };
  const { kind, client } = usePlatform();
  const [sent, setSent] = useState<SentCode>();
  useStepFocus(sent !== undefined);
  const send = async (address: string): Promise<void> => {
    onEmail(address);
    const resendAt = await sendCode(() => client.requestPasswordReset(address));
    setSent({ email: address, resendAt });
  };
  const sendTyped = useMutation({ mutationFn: (read: ReadField) => send(read('email').trim()) });
  const reset = useMutation({
    mutationFn: async (read: ReadField) => {
      const [code, newPassword] = [toDigits(read('code')), read('newPassword')];
      const address = sent?.email ?? email;
      await client.resetPassword({ email: address, code, newPassword });
      const next = await signInOrAsk({ client, kind }, { email: address, password: newPassword, ...stay });
      if (next) onSecondStep(next);
      else onDone();
    },
  });
  const back = (
    <Button look="link" onClick={onBack}>
      {words.backToSignIn}
    </Button>
  );
  if (!sent)
    return (
      <>
        <p className="muted">{words.forgottenHint}</p>
        <Form key="send" submit={words.sendCode} submitting={words.sendingCode} isWide mutation={sendTyped}>
          <TextField
            name="email"
            type="email"
            label={words.email}
            autoComplete="username"
            spellCheck={false}
            invalid={words.emailInvalid}
            defaultValue={email}
          />
        </Form>
        {back}
      </>
    );
  return (
    <>
      <p>{words.codeSent(sent.email)}</p>
      <Form key="reset" submit={words.setPassword} submitting={words.settingPassword} isWide mutation={reset}>
        <HiddenUsername email={sent.email} />
        <CodeField name="code" label={words.mailCode} invalid={words.mailCodeInvalid} />
        <PasswordField
          name="newPassword"
          label={words.newPassword}
          hint={words.passwordHint}
          invalid={words.passwordInvalid}
          autoComplete="new-password"
          minLength={8}
          maxLength={72}
        />
      </Form>
      <SendAgain resendAt={sent.resendAt} onSend={() => send(sent.email)} />
      {back}
    </>
  );
};

import { isPlatformError } from '@platform/client';
import { useState } from 'react';
import { useAction } from '../components/action.ts';
import { Button } from '../components/button.tsx';
import { Countdown, useSecondsLeft } from '../components/countdown.tsx';
import { CodeField, PasswordField, TextField, toDigits } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { type SecondStep, toSecondStep } from './second-step.ts';

type SentCode = { email: string; resendAt: number };

/** A wait that the platform asks for is not a failure: the code of a minute ago is still valid. */
const readResendTime = (error: unknown): number => {
  if (!isPlatformError(error, 'RESEND_LOCKED')) throw error;
  return Date.now() + (error.retryAfterSeconds ?? 120) * 1_000;
};

const useSendCode = (onSent: (sent: SentCode) => void) => {
  const { client } = usePlatform();
  return async (email: string): Promise<void> => {
    const resendAt = await client
      .requestPasswordReset(email)
      .then(({ resendIn }) => Date.now() + resendIn * 1_000, readResendTime);
    onSent({ email, resendAt });
  };
};

const SendAgain = ({ sent, onSent }: { sent: SentCode; onSent: (sent: SentCode) => void }) => {
  const words = useWords(SIGNING_IN);
  const send = useSendCode(onSent);
  const again = useAction(() => send(sent.email));
  const secondsLeft = useSecondsLeft(sent.resendAt);
  return (
    <div className="stack-small">
      <ErrorNotice error={again.error} />
      {secondsLeft > 0 ? (
        <span className="muted small">
          {words.sendCodeAgain}: <Countdown seconds={secondsLeft} />
        </span>
      ) : (
        <Button
          look="link"
          isBusy={again.isBusy}
          busyLabel={words.sendingCode}
          onClick={() => void again.run()}
        >
          {words.sendCodeAgain}
        </Button>
      )}
    </div>
  );
};

type ForgottenPasswordProps = {
  email: string;
  onEmail: (email: string) => void;
  onSecondStep: (step: SecondStep) => void;
  onDone: () => void;
  onBack: () => void;
};

/** Sends a code, sets a new password with it, and signs in with the new one. */
export const ForgottenPassword = ({
  email,
  onEmail,
  onSecondStep,
  onDone,
  onBack,
}: ForgottenPasswordProps) => {
  const words = useWords(SIGNING_IN);
  const { kind, client } = usePlatform();
  const [sent, setSent] = useState<SentCode>();
  const send = useSendCode((next) => {
    onEmail(next.email);
    setSent(next);
  });
  const reset = async (address: string, code: string, newPassword: string): Promise<void> => {
    await client.resetPassword({ email: address, code, newPassword });
    try {
      await client.signIn({ email: address, password: newPassword });
    } catch (error) {
      return onSecondStep(toSecondStep(error, kind, address));
    }
    onDone();
  };
  const back = (
    <Button look="link" onClick={onBack}>
      {words.backToSignIn}
    </Button>
  );
  if (!sent)
    return (
      <>
        <p className="muted">{words.forgottenHint}</p>
        <Form
          key="send"
          submit={words.sendCode}
          submitting={words.sendingCode}
          isWide
          onSubmit={(read) => send(read('email').trim())}
        >
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
      <Form
        key="reset"
        submit={words.setPassword}
        submitting={words.settingPassword}
        isWide
        onSubmit={(read) => reset(sent.email, toDigits(read('code')), read('newPassword'))}
      >
        {/* Tells password managers which account the new password belongs to. */}
        <input type="hidden" autoComplete="username" value={sent.email} readOnly />
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
      <SendAgain sent={sent} onSent={setSent} />
      {back}
    </>
  );
};

import { isPlatformError, type SignInMethods } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { FingerprintIcon, MailIcon } from '../components/form-icons.tsx';
import { EmailField } from '../components/forms/email-field.tsx';
import { CheckBox, HiddenUsername, PasswordField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { rememberLastUsed } from './last-used.ts';
import { usePasskeySignIn } from './passkey-sign-in.ts';
import { Marked, Providers, useLastUsed } from './providers.tsx';
import { signInOrAsk } from './second-step.ts';
import type { StayChoice } from './stay-signed-in.ts';
import type { StepName, WayProps } from './steps.ts';

type AdviceProps = { error: unknown; onForgotten: () => void };

/** Says what to do after a failed sign-in. */
const Advice = ({ error, onForgotten }: AdviceProps) => {
  const words = useWords(SIGNING_IN);
  if (!isPlatformError(error, 'INVALID_CREDENTIALS', 'RATE_LIMITED')) return null;
  return (
    <>
      {isPlatformError(error, 'RATE_LIMITED') ? words.waitNext : words.wrongNext}
      <Button look="link" onClick={onForgotten}>
        {words.resetLink}
      </Button>
      .
    </>
  );
};

type Fields = { email?: string; password: string };

type PasswordStepProps = Omit<WayProps, 'stay' | 'onBack' | 'onError'> & {
  /** Undefined until they are loaded. */
  methods: SignInMethods | undefined;
  stayChoice: StayChoice;
  /** The address cannot be changed: somebody signs in again. */
  isFixed: boolean;
  /** Replaces "Sign in" on the button. */
  submit?: string | undefined;
  wrongHint?: ReactNode;
  noRole?: string | undefined;
  /** `who` is empty where the way does not name the account. */
  onError: (error: unknown, who?: string) => void;
  onEmail: (email: string) => void;
  onForgotten: () => void;
  onEmailCode: () => void;
  onLeave: () => void;
};

/** The first step: password, passkey or provider, and a button for a mailed code. */
export const PasswordStep = ({
  methods,
  stayChoice,
  email,
  isFixed,
  submit,
  wrongHint,
  noRole,
  onError,
  onEmail,
  onSecondStep,
  onForgotten,
  onEmailCode,
  onLeave,
  onDone,
  children,
}: PasswordStepProps) => {
  const words = useWords(SIGNING_IN);
  const { kind, client } = usePlatform();
  const { stay } = stayChoice;
  const [wrongTries, setWrongTries] = useState(0);
  useStepFocus(wrongTries);
  const markOf = useLastUsed();
  const passkey = usePasskeySignIn(stay, onDone, (error) => onError(error, ''));
  const signIn = useMutation({
    mutationFn: (fields: Fields) =>
      signInOrAsk(
        { client, kind },
        { email: fields.email?.trim() ?? email, password: fields.password, ...stay },
      ),
    onSuccess: (next) => {
      rememberLastUsed(kind, 'method', 'password');
      if (next) onSecondStep(next);
      else onDone();
    },
    onError: (error) => {
      if (isPlatformError(error, 'INVALID_CREDENTIALS')) setWrongTries((tries) => tries + 1);
      onError(error);
    },
  });
  const sentenceOf = (error: unknown): string | undefined => {
    if (isPlatformError(error, 'PLATFORM_ROLE_INVALID')) return noRole;
    return isPlatformError(error, 'INVALID_CREDENTIALS') ? words.wrong : undefined;
  };
  const providers = methods?.providers ?? [];
  return (
    <>
      <ErrorNotice error={passkey.error} sentence={sentenceOf(passkey.error)} />
      <Form
        submit={submit ?? words.signIn}
        submitting={words.signingIn}
        isWide
        mutation={signIn}
        sentenceOf={sentenceOf}
        advice={(error) => (
          <>
            <Advice error={error} onForgotten={onForgotten} />
            {wrongTries > 0 && wrongHint && <p>{wrongHint}</p>}
          </>
        )}
        after={
          methods?.methods.includes('email-code') && (
            <Marked mark={markOf('email-code')}>
              <Button look="quiet" isWide onClick={onEmailCode}>
                <MailIcon />
                {words.emailCode}
              </Button>
            </Marked>
          )
        }
      >
        {isFixed ? (
          <HiddenUsername email={email} />
        ) : (
          <EmailField<Fields>
            name="email"
            autoComplete="username webauthn"
            enterKeyHint="next"
            defaultValue={email}
            onInput={({ currentTarget }) => onEmail(currentTarget.value.trim())}
          />
        )}
        <PasswordField<Fields>
          // A wrong password is typed anew.
          key={wrongTries}
          name="password"
          label={words.password}
          autoComplete="current-password"
          enterKeyHint="go"
          missing={words.passwordMissing}
          aside={
            <Button look="link" onClick={onForgotten}>
              {words.forgotten}
            </Button>
          }
        />
        {stayChoice.isOffered && (
          <div>
            <CheckBox
              aria-describedby="stay-hint"
              checked={stay.staySignedIn === true}
              onChange={({ currentTarget }) => stayChoice.choose(currentTarget.checked)}
            >
              {words.stay}
            </CheckBox>
            <p id="stay-hint" className="muted small">
              {words.stayHint}
            </p>
          </div>
        )}
      </Form>
      {(passkey.button || providers.length > 0) && <div className="sign-in-or">{words.or}</div>}
      <div className="stack-small">
        {passkey.button && (
          <Marked mark={markOf('passkey')}>
            <Button
              isWide
              isBusy={passkey.button.isPending}
              busyLabel={words.usingPasskey}
              onClick={passkey.button.use}
            >
              <FingerprintIcon />
              {words.usePasskey}
            </Button>
          </Marked>
        )}
        <Providers providers={providers} stay={stay} isInNewTab={isFixed} onLeave={onLeave} />
      </div>
      {children}
    </>
  );
};

type SignedOutNoticeProps = { reason: string | undefined; step: StepName | undefined };

/** Why somebody has to sign in again, above the form. */
export const SignedOutNotice = ({ reason, step }: SignedOutNoticeProps) => {
  const words = useWords(SIGNING_IN);
  // The second step is shown no longer than the platform waits for it.
  if (step === 'second') return <Notice>{words.tookTooLong}</Notice>;
  if (reason === undefined || ['SIGNED_IN_AS_ANOTHER', 'USER_BLOCKED'].includes(reason)) return null;
  if (reason === 'ACCOUNT_DELETED')
    return (
      <div role="status">
        <Notice look="ok">{words.accountDeleted}</Notice>
      </div>
    );
  const sentences: Record<string, string> = {
    SIGNED_OUT: words.signedOut,
    BROWSER_CLOSED: words.browserClosed,
  };
  return <Notice>{sentences[reason] ?? words.sessionEnded}</Notice>;
};

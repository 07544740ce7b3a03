import { isPlatformError } from '@platform/client';
import { type ReactNode, Suspense, useState } from 'react';
import { FirstPaint } from '../components/frame/first-paint.tsx';
import type { Frame } from '../components/frame/sign-in-card.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { lazyComponent } from '../components/lazy-component.ts';
import { ErrorNotice } from '../components/notice.tsx';
import { WaitingForScreen } from '../components/waiting.tsx';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { PasswordStep, SignedOutNotice } from './password-step.tsx';
import { readSecondStep, type SecondStep } from './second-step.ts';
import { useSignInMethods } from './sign-in-methods.ts';
import { useStaySignedIn } from './stay-signed-in.ts';
import { readTypedEmail, type StepName, useSteps } from './steps.ts';
import { forgetTypedPassword } from './typed-password.ts';

// Most people need none of them, so the first page does not wait for them.
const loadLaterSteps = () => import('./later-steps.ts');
const ForgottenPassword = lazyComponent(loadLaterSteps, 'ForgottenPassword');
const EmailCodeSignIn = lazyComponent(loadLaterSteps, 'EmailCodeSignIn');
const Blocked = lazyComponent(loadLaterSteps, 'Blocked');
const SecondStepForm = lazyComponent(loadLaterSteps, 'SecondStepForm');

type SignInProps = {
  /** Renders the form in a card or in a dialog. */
  frame: Frame;
  /** Signs in again with this address, which cannot be changed. */
  fixedEmail?: string;
  /** The address to fill in. */
  email?: string | undefined;
  /** Why the session has ended. */
  reason?: string | undefined;
  /** The explanation above the form. */
  intro?: ReactNode;
  /** `title` and `submit` replace "Sign in" as the heading and on the button. */
  title?: string;
  submit?: string;
  /** The hint below the error of a wrong password, for the typed address. */
  wrongHint?: (email: string) => ReactNode;
  /** The sentence for an account whose role was taken. */
  noRole?: string;
  /** Hides a provider that leads back here. */
  hiddenProvider?: string | undefined;
  /** Opens the page that resets the password, if it is another one. */
  onForgotten?: (email: string) => void;
  /**
   * Links to other entrances, with the typed address: below the form, and below a code that may not have been
   * mailed.
   */
  children?: ((email: string) => ReactNode) | undefined;
  onDone?: () => void;
  /** Called before a provider's page replaces this one. */
  onLeave?: () => void;
};

/** Whether the text is an address. If not, the next step asks for it, and says what is wrong. */
const isAddress = (text: string): boolean => /^\S+@\S+\.\w+$/.test(text);

const isCodeStep = (step: StepName | undefined): boolean => step === 'code' || step === 'code-address';

/** Returns the known address, else the one that was typed, also before a reload or on another page. */
const chooseEmail = (known: string | undefined, waiting: SecondStep | undefined): string =>
  known ?? (readTypedEmail() || (waiting?.email ?? ''));

/** The address that is blocked, empty if it is not known. */
const useBlocked = (reason: string | undefined) => {
  const [blocked, setBlocked] = useState(reason === 'USER_BLOCKED' ? '' : undefined);
  return {
    blocked,
    noteBlocked: (error: unknown, email: string): void => {
      if (isPlatformError(error, 'USER_BLOCKED')) setBlocked(email);
    },
    forgetBlocked: (): void => setBlocked(undefined),
  };
};

/** Every way to sign in, of any kind. The address goes along from step to step. */
export const SignIn = ({
  frame,
  fixedEmail,
  email: knownEmail,
  reason,
  intro,
  title: ownTitle,
  submit,
  wrongHint,
  noRole,
  hiddenProvider,
  onForgotten,
  children,
  onDone,
  onLeave = () => undefined,
}: SignInProps) => {
  const isFixed = fixedEmail !== undefined;
  const words = useWords(SIGNING_IN);
  const title = ownTitle ?? words[isFixed ? 'signInAgain' : 'signIn'];
  const { kind } = usePlatform();
  const [waiting, setWaiting] = useState(() => readSecondStep(kind));
  const { step, open, replace } = useSteps();
  const [email, setEmail] = useState(chooseEmail(fixedEmail ?? knownEmail, waiting));
  const [restartError, setRestartError] = useState<unknown>();
  const { blocked, noteBlocked, forgetBlocked } = useBlocked(reason);
  const methods = useSignInMethods(hiddenProvider);
  const stayChoice = useStaySignedIn(methods?.staySignedIn === true);
  const { stay } = stayChoice;
  useStepFocus(step);
  const finish = (): void => {
    replace(undefined, '');
    // The typed password is kept only for a page that follows.
    if (isFixed || !onDone) forgetTypedPassword();
    onDone?.();
  };
  const restart = (error?: unknown): void => {
    setRestartError(error);
    replace(undefined, email);
  };
  const back = () => replace(undefined, email);
  const frameLazy = (heading: string, content: ReactNode) =>
    frame(heading, <Suspense fallback={<WaitingForScreen />}>{content}</Suspense>);
  const way = {
    email,
    stay,
    onSecondStep: (next: SecondStep): void => {
      setWaiting(next);
      open('second', email);
    },
    onDone: finish,
    onBack: back,
    onError: (error: unknown) => noteBlocked(error, email),
    children: children?.(email),
  };

  if (blocked !== undefined && !isFixed)
    return (
      <Suspense fallback={<FirstPaint />}>
        <Blocked
          frame={frame}
          email={blocked}
          onOther={() => {
            forgetBlocked();
            back();
          }}
        />
      </Suspense>
    );
  if (step === 'second' && waiting)
    return frameLazy(
      waiting.factors.includes('email-code') ? words.codeTitle : words.secondStep,
      <SecondStepForm
        step={waiting}
        onDone={finish}
        onRestart={restart}
        onError={(error) => noteBlocked(error, waiting.email)}
      />,
    );
  if (step === 'forgotten')
    return frameLazy(words.resetPassword, <ForgottenPassword {...way} onEmail={setEmail} />);
  if (isCodeStep(step))
    return frameLazy(
      step === 'code' ? words.codeTitle : words.signIn,
      <EmailCodeSignIn
        {...way}
        isFixed={isFixed}
        isChosen={step === 'code'}
        onChoose={(chosen) => {
          if (chosen !== undefined) setEmail(chosen);
          replace(chosen === undefined ? 'code-address' : 'code', chosen ?? email);
        }}
      />,
    );
  // The form waits for the methods, and is shown with all of them at once, so that nothing moves.
  if (!(methods || isFixed)) return <FirstPaint />;
  return frame(
    title,
    <>
      {intro}
      <SignedOutNotice reason={reason} step={step} />
      <ErrorNotice error={restartError} />
      <PasswordStep
        {...way}
        methods={methods}
        stayChoice={stayChoice}
        isFixed={isFixed}
        submit={submit}
        wrongHint={wrongHint?.(email)}
        noRole={noRole}
        onError={(error, who = email) => noteBlocked(error, who)}
        onEmail={setEmail}
        onForgotten={() => (onForgotten ?? ((typed) => open('forgotten', typed)))(email)}
        onEmailCode={() => open(isAddress(email) ? 'code' : 'code-address', email)}
        onLeave={onLeave}
      />
    </>,
  );
};

import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorNotice } from '../components/notice.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { WaitingForScreen } from '../components/waiting.tsx';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { PasswordStep, SignedOutNotice } from './password-step.tsx';
import { forgetSecondStep, readSecondStep, type SecondStep } from './second-step.ts';
import { useSignInMethods } from './sign-in-methods.ts';
import { useStaySignedIn } from './stay-signed-in.ts';

// Most people need none of them, so the first page does not wait for them.
const ForgottenPassword = lazy(async () => ({
  default: (await import('./forgotten-password.tsx')).ForgottenPassword,
}));
const EmailCodeSignIn = lazy(async () => ({
  default: (await import('./email-code-sign-in.tsx')).EmailCodeSignIn,
}));
const SecondStepForm = lazy(async () => ({
  default: (await import('./second-step-form.tsx')).SecondStepForm,
}));

type Step =
  | { name: 'password'; error?: unknown }
  | { name: 'forgotten' }
  | { name: 'email-code'; isChosen: boolean }
  | { name: 'second'; step: SecondStep };

type SignInProps = {
  /** A card or a dialog. */
  frame: (title: string, content: ReactNode) => ReactNode;
  /** Signs in again with this address, which cannot be changed. */
  fixedEmail?: string;
  /** The address that another page knows already. */
  initialEmail?: string;
  /** A second step that another page has begun, such as the callback of a provider. */
  initialStep?: SecondStep;
  /** Why the session has ended. */
  reason?: string | undefined;
  /** Above the form: an explanation. */
  intro?: ReactNode;
  /** Below the form: a link to sign up, with the address that was typed. */
  children?: (email: string) => ReactNode;
  onDone?: () => void;
  /** Called before a provider's page replaces this one. */
  onLeave?: () => void;
};

/** Goes back in the history, so that the browser's back button leads from one step to the one before. */
const useSteps = (first: Step) => {
  const [step, setStep] = useState<Step>(first);
  useEffect(() => {
    const goBack = () => {
      forgetSecondStep();
      setStep({ name: 'password' });
    };
    window.addEventListener('popstate', goBack);
    return () => window.removeEventListener('popstate', goBack);
  }, []);
  const open = (next: Step): void => {
    if (next.name !== 'password') history.pushState(history.state, '');
    setStep(next);
  };
  return [step, setStep, open] as const;
};

/** Every way to sign in, of any kind. The address goes along from step to step. */
export const SignIn = ({
  frame,
  fixedEmail,
  initialEmail = '',
  initialStep,
  reason,
  intro,
  children,
  onDone = () => undefined,
  onLeave = () => undefined,
}: SignInProps) => {
  const words = useWords(SIGNING_IN);
  const { kind } = usePlatform();
  const [waiting] = useState(() => initialStep ?? readSecondStep(kind));
  const [step, setStep, open] = useSteps(waiting ? { name: 'second', step: waiting } : { name: 'password' });
  const [email, setEmail] = useState(fixedEmail ?? waiting?.email ?? initialEmail);
  const methods = useSignInMethods();
  const stayChoice = useStaySignedIn(methods?.staySignedIn === true);
  const { stay } = stayChoice;
  useStepFocus(step.name === 'password');
  const finish = (): void => {
    forgetSecondStep();
    onDone();
  };
  const restart = (error?: unknown): void => {
    forgetSecondStep();
    setStep({ name: 'password', error });
  };
  const openSecondStep = (next: SecondStep): void => open({ name: 'second', step: next });

  if (step.name === 'second')
    return frame(
      step.step.factors.includes('email-code') ? words.codeTitle : words.secondStep,
      <Suspense fallback={<WaitingForScreen />}>
        <SecondStepForm step={step.step} onDone={finish} onRestart={restart} />
      </Suspense>,
    );
  if (step.name === 'forgotten')
    return frame(
      words.resetPassword,
      <Suspense fallback={<WaitingForScreen />}>
        <ForgottenPassword
          email={email}
          stay={stay}
          onEmail={setEmail}
          onSecondStep={openSecondStep}
          onDone={finish}
          onBack={() => setStep({ name: 'password' })}
        />
      </Suspense>,
    );
  if (step.name === 'email-code')
    return frame(
      step.isChosen ? words.codeTitle : words.signIn,
      <Suspense fallback={<WaitingForScreen />}>
        <EmailCodeSignIn
          email={email}
          isFixed={fixedEmail !== undefined}
          isChosen={step.isChosen}
          stay={stay}
          onChoose={(chosen) => {
            if (chosen !== undefined) setEmail(chosen);
            setStep({ name: 'email-code', isChosen: chosen !== undefined });
          }}
          onSecondStep={openSecondStep}
          onDone={finish}
          onBack={() => setStep({ name: 'password' })}
        />
      </Suspense>,
    );
  return frame(
    fixedEmail ? words.signInAgain : words.signIn,
    <>
      {intro}
      <SignedOutNotice reason={reason} />
      <ErrorNotice error={step.error} />
      <PasswordStep
        methods={methods}
        stayChoice={stayChoice}
        email={email}
        isFixed={fixedEmail !== undefined}
        onEmail={setEmail}
        onSecondStep={openSecondStep}
        onForgotten={() => open({ name: 'forgotten' })}
        onEmailCode={() => open({ name: 'email-code', isChosen: email.includes('@') })}
        onLeave={onLeave}
        onDone={finish}
      >
        {children?.(email)}
      </PasswordStep>
    </>,
  );
};

import { isPlatformError } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { PasswordField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SignInCard } from '../../components/frame/sign-in-card.tsx';
import { useStepFocus } from '../../components/keys/step-focus.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { usePlatform } from '../../session/platform.ts';
import { toSecondStep } from '../../signing-in/second-step.ts';
import { SECOND_STEP_STATE } from '../../signing-in/steps.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { CONSOLE } from '../words.ts';
import { INVITATION } from './words.ts';

type Checked = { code: string; email: string; role: string; expiresAt: string };

const checkCode = async (code: string): Promise<Checked> => ({
  code,
  ...(await backOffice.POST('/auth/admin/invitations/check', { body: { code } })),
});

const useAdvice = () => {
  const words = useWords(INVITATION);
  return (error: unknown) => isPlatformError(error, 'CODE_INVALID') && words.askAgain;
};

type CodeFields = { code: string };

/** Asks for the code, if the address has none. */
const CodeForm = ({ onChecked }: { onChecked: (checked: Checked) => void }) => {
  const words = useWords(INVITATION);
  const advice = useAdvice();
  const check = useMutation({
    mutationFn: (fields: CodeFields) => checkCode(fields.code.trim()),
    onSuccess: onChecked,
  });
  return (
    <>
      <p>{words.enterCode}</p>
      <Form submit={words.next} submitting={words.checking} isWide advice={advice} mutation={check}>
        <TextField<CodeFields>
          name="code"
          label={words.code}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={64}
        />
      </Form>
    </>
  );
};

type PasswordFields = { password: string };

const PasswordForm = ({ checked: { code, email, role, expiresAt } }: { checked: Checked }) => {
  const words = useWords(INVITATION);
  const { roles } = useWords(CONSOLE);
  const { kind } = usePlatform();
  const [, navigate] = useLocation();
  const advice = useAdvice();
  const [isAccepted, setAccepted] = useState(false);
  const accept = useMutation({
    mutationFn: async ({ password }: PasswordFields) => {
      // After a sign-in that failed, the account exists already, and the code is used.
      if (!isAccepted) await backOffice.POST('/auth/admin/invitations/accept', { body: { code, password } });
      setAccepted(true);
      try {
        await backOffice.signIn({ email, password });
      } catch (error) {
        // The sign-in page goes on with it.
        toSecondStep(error, kind, email);
      }
    },
    onSuccess: () => navigate('/', { replace: true, state: SECOND_STEP_STATE }),
  });
  return (
    <>
      <p>{words.welcome(email, roles[role] ?? role)}</p>
      <p className="muted small">
        {words.validUntil} <Time at={expiresAt} isFull />.
      </p>
      <Form submit={words.accept} submitting={words.accepting} isWide advice={advice} mutation={accept}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField<PasswordFields>
          name="password"
          label={words.password}
          hint={words.passwordHint}
          invalid={words.passwordInvalid}
          autoComplete="new-password"
          minLength={8}
        />
      </Form>
    </>
  );
};

/** The page of an invitation's link. @param code of the link; without one, it is typed */
export const Invitation = ({ code }: { code: string }) => {
  const words = useWords(INVITATION);
  const advice = useAdvice();
  const [checked, setChecked] = useState<Checked>();
  const { mutate, error, isPending } = useMutation({ mutationFn: checkCode, onSuccess: setChecked });
  useEffect(() => {
    if (code) mutate(code);
  }, [mutate, code]);
  useStepFocus(checked);
  return (
    <SignInCard title={words.title}>
      <ErrorNotice error={error}>{advice(error)}</ErrorNotice>
      {checked && <PasswordForm checked={checked} />}
      {!checked && !isPending && <CodeForm onChecked={setChecked} />}
      <Link href="/">{words.signIn}</Link>
    </SignInCard>
  );
};

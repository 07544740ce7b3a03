import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { BackIcon } from '../components/form-icons.tsx';
import { CodeField } from '../components/forms/code-field.tsx';
import { EmailField } from '../components/forms/email-field.tsx';
import { HiddenUsername } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { NewPasswordField } from '../components/forms/new-password-field.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { findLinkedDigits, forgetLinkedCode } from '../session/mailed-code-link.ts';
import { usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { CodeHead, CodeHelp, useWrongTries } from './code-step.tsx';
import { FORGOTTEN } from './forgotten-words.ts';
import { mailCode, useMailedCode, useSentCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';
import { type SecondStep, signInOrAsk } from './second-step.ts';
import type { Stay } from './stay-signed-in.ts';

const PURPOSE = 'reset-password';

type AddressFields = { email: string };
type AddressFormProps = { email: string; onEmail: (email: string) => void };

const AddressForm = ({ email, onEmail }: AddressFormProps) => {
  const words = useWords(FORGOTTEN);
  const { client } = usePlatform();
  useStepFocus('address');
  const send = useMutation({
    mutationFn: async (fields: AddressFields) => {
      const typed = fields.email.trim();
      onEmail(typed);
      const onSend = () => client.requestPasswordReset(typed);
      await mailCode({ purpose: PURPOSE, email: typed, onSend }, { isNewEntry: true });
    },
  });
  return (
    <>
      <p className="lead">{words.lead}</p>
      <Form submit={words.sendCode} submitting={words.sending} isWide mutation={send}>
        <EmailField<AddressFields> name="email" autoComplete="username" defaultValue={email} />
      </Form>
    </>
  );
};

type ForgottenPasswordProps = {
  email: string;
  stay: Stay;
  onEmail: (email: string) => void;
  onSecondStep: (step: SecondStep) => void;
  onDone: () => void;
  onBack: () => void;
  onError: (error: unknown) => void;
  /** Links to other entrances. */
  children?: ReactNode;
};

type NewPasswordProps = Omit<ForgottenPasswordProps, 'onBack' | 'onEmail'> & {
  /** The person is signed in, so the account exists and its address is right. */
  isOwn?: boolean;
};

type PasswordFields = { code: string; newPassword: string };

/** The form that asks for the code and the new password. */
export const NewPasswordForm = (props: NewPasswordProps) => {
  const words = { ...useWords(MAILED_CODE), ...useWords(FORGOTTEN) };
  const { email, stay, isOwn = false, onSecondStep, onDone, onError, children } = props;
  const { kind, client } = usePlatform();
  const code = useMailedCode({
    purpose: PURPOSE,
    email,
    onSend: () => client.requestPasswordReset(email),
  });
  const tries = useWrongTries(code);
  const changeAddress = () => history.replaceState({ ...history.state, code: undefined, email }, '');
  useStepFocus(code.round);
  const [changedTo, setChangedTo] = useState<string>();
  const reset = useMutation({
    mutationFn: async ({ code, newPassword }: PasswordFields) => {
      // After a sign-in that failed, the password is set already, and the code is used.
      if (changedTo !== newPassword) await client.resetPassword({ email, code, newPassword });
      setChangedTo(newPassword);
      forgetLinkedCode();
      const next = await signInOrAsk({ client, kind }, { email, password: newPassword, ...stay });
      if (next) onSecondStep(next);
      else onDone();
    },
  });
  return (
    <>
      <CodeHead code={code} sentence={isOwn ? words.sentTo : words.maybeSentTo} />
      <Form
        submit={words.setPassword}
        submitting={words.settingPassword}
        isWide
        mutation={reset}
        after={<p className="muted small">{words.resetAll}</p>}
        onError={(error) => {
          tries.note(error);
          onError(error);
        }}
        fieldErrorsOf={(error) => {
          const code = tries.describe(error);
          return code === undefined ? undefined : { code };
        }}
      >
        <HiddenUsername email={email} />
        <CodeField<PasswordFields>
          // Another code is typed into an empty field.
          key={code.round}
          initial={findLinkedDigits(code)}
          name="code"
          label={words.code}
          invalid={words.codeMissing}
          onComplete={({ form }) => form?.querySelector<HTMLInputElement>('[name=newPassword]')?.focus()}
        />
        <NewPasswordField<PasswordFields> name="newPassword" label={words.newPassword} />
      </Form>
      <CodeHelp code={code} onChangeAddress={isOwn ? undefined : changeAddress} others={children} />
    </>
  );
};

/** Sends a code, sets a new password with it, and signs in with the new one. */
export const ForgottenPassword = ({ email, onEmail, onBack, ...props }: ForgottenPasswordProps) => {
  const words = useWords(FORGOTTEN);
  const sent = useSentCode(PURPOSE);
  return (
    <>
      {sent ? (
        <NewPasswordForm email={sent.email} {...props} />
      ) : (
        <AddressForm email={email} onEmail={onEmail} />
      )}
      <Button look="link" onClick={onBack}>
        <BackIcon />
        {words.backToSignIn}
      </Button>
    </>
  );
};

import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { BackIcon } from '../components/form-icons.tsx';
import { HiddenUsername } from '../components/forms/fields.tsx';
import { NewPasswordField } from '../components/forms/new-password-field.tsx';
import { usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { AddressForm } from './address-form.tsx';
import { CodeStep } from './code-step.tsx';
import { mailCode, useMailedCode, useSentCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';
import { signInOrAsk } from './second-step.ts';
import type { WayProps } from './steps.ts';

const PURPOSE = 'reset-password';

type ForgottenPasswordProps = WayProps & { onEmail: (email: string) => void };

type NewPasswordProps = Omit<ForgottenPasswordProps, 'onBack' | 'onEmail'> & {
  /** The person is signed in, so the account exists and its address is right. */
  isOwn?: boolean;
};

type Fields = { newPassword: string };

/** The form that asks for the code and the new password. */
export const NewPasswordForm = (props: NewPasswordProps) => {
  const words = useWords(MAILED_CODE);
  const { email, stay, isOwn = false, onSecondStep, onDone, onError, children } = props;
  const { kind, client } = usePlatform();
  const code = useMailedCode({
    purpose: PURPOSE,
    email,
    onSend: () => client.requestPasswordReset(email),
  });
  const changeAddress = () => history.replaceState({ ...history.state, code: undefined, email }, '');
  const [changedTo, setChangedTo] = useState<string>();
  return (
    <CodeStep
      code={code}
      sentence={isOwn ? words.sentTo : words.maybeSentTo}
      onCode={async (digits, { newPassword }: Fields) => {
        // After a sign-in that failed, the password is set already, and the code is used.
        if (changedTo !== newPassword) await client.resetPassword({ email, code: digits, newPassword });
        setChangedTo(newPassword);
        return signInOrAsk({ client, kind }, { email, password: newPassword, ...stay });
      }}
      onDone={(next) => (next ? onSecondStep(next) : onDone())}
      onError={onError}
      onChangeAddress={isOwn ? undefined : changeAddress}
      others={children}
      buttons={{
        submit: words.setPassword,
        submitting: words.settingPassword,
        after: <p className="muted small">{words.resetAll}</p>,
      }}
    >
      <HiddenUsername email={email} />
      <NewPasswordField<Fields> name="newPassword" label={words.newPassword} />
    </CodeStep>
  );
};

/** Sends a code, sets a new password with it, and signs in with the new one. */
export const ForgottenPassword = ({ email, onEmail, onBack, ...props }: ForgottenPasswordProps) => {
  const words = useWords(MAILED_CODE);
  const { client } = usePlatform();
  const sent = useSentCode(PURPOSE);
  const send = (typed: string) => {
    onEmail(typed);
    const onSend = () => client.requestPasswordReset(typed);
    return mailCode({ purpose: PURPOSE, email: typed, onSend }, { isNewEntry: true });
  };
  return (
    <>
      {sent ? (
        <NewPasswordForm email={sent.email} {...props} />
      ) : (
        <AddressForm email={email} onEmail={send} />
      )}
      <Button look="link" onClick={onBack}>
        <BackIcon />
        {words.backToSignIn}
      </Button>
    </>
  );
};

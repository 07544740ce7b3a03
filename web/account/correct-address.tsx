import { changeEmail, confirmEmailChange, findPendingEmailChange } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { EmailField } from '../components/forms/email-field.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { CurrentPassword, type CurrentPasswordFields } from '../own-account/current-password.tsx';
import { OWN_ACCOUNT } from '../own-account/words.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { CodeStep } from '../signing-in/code-step.tsx';
import { mailCode, useMailedCode, useSentCode } from '../signing-in/mailed-code.ts';
import { MAILED_CODE } from '../signing-in/mailed-code-words.ts';
import { hasTypedPassword, takeTypedPassword } from '../signing-in/typed-password.ts';
import { useWords } from '../words/words.ts';
import { VERIFICATION } from './verification-words.ts';

export const CORRECTION = 'correct-address';

type Change = Parameters<typeof changeEmail>[1];
type AddressFields = CurrentPasswordFields & { newEmail: string };
type AddressProps = { onPassword: (password: string) => void; onBack: () => void };

/** The password that was just typed is proof enough. Without it, such as after a reload, it is asked for. */
const Address = ({ onPassword, onBack }: AddressProps) => {
  const words = { ...useWords(OWN_ACCOUNT), ...useWords(VERIFICATION) };
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const [isProven, setProven] = useState(() => hasTypedPassword(user.email));
  useStepFocus(isProven);
  const send = useMutation({
    mutationFn: async (fields: AddressFields) => {
      const currentPassword = takeTypedPassword(user.email) ?? fields.currentPassword ?? '';
      const change: Change = { newEmail: fields.newEmail.trim().toLowerCase(), currentPassword };
      await mailCode({
        purpose: CORRECTION,
        email: change.newEmail,
        onSend: () => changeEmail(client, change),
        isStillGood: async () => (await findPendingEmailChange(client))?.newEmail === change.newEmail,
      });
      return currentPassword;
    },
    onSuccess: onPassword,
    // The typed password is kept for one try, so the next one asks for it.
    onError: () => setProven(false),
  });
  return (
    <>
      <p className="lead">{words.correctLead}</p>
      <Form submit={words.sendCode} submitting={words.sending} isWide mutation={send}>
        <EmailField<AddressFields> name="newEmail" autoComplete="email" defaultValue={user.email} />
        {!isProven && <CurrentPassword label={words.password} />}
      </Form>
      <div>
        <Button look="link" onClick={onBack}>
          {words.back}
        </Button>
      </div>
    </>
  );
};

type CodeProps = {
  email: string;
  /** Undefined after a reload: sending another code then asks for the password again. */
  password: string | undefined;
  onDone: () => void;
  onBack: () => void;
};

const Code = ({ email, password, onDone, onBack }: CodeProps) => {
  const words = useWords(MAILED_CODE);
  const { client } = usePlatform();
  const code = useMailedCode({
    purpose: CORRECTION,
    email,
    onSend: () => changeEmail(client, { newEmail: email, currentPassword: password ?? '' }),
  });
  return (
    <CodeStep
      code={password === undefined ? { ...code, resend: onBack } : code}
      sentence={words.sentTo}
      onCode={(digits) => confirmEmailChange(client, digits)}
      onDone={onDone}
      onChangeAddress={onBack}
    />
  );
};

/** Corrects the mistyped address of a new account: the code goes to another one, which then is the account's. */
export const CorrectAddress = ({ onDone, onBack }: { onDone: () => void; onBack: () => void }) => {
  const sent = useSentCode(CORRECTION);
  const [password, setPassword] = useState<string>();
  const [isAddress, setAddress] = useState(sent === undefined);
  if (sent && !isAddress)
    return <Code email={sent.email} password={password} onDone={onDone} onBack={() => setAddress(true)} />;
  return (
    <Address
      onBack={onBack}
      onPassword={(typed) => {
        setPassword(typed);
        setAddress(false);
      }}
    />
  );
};

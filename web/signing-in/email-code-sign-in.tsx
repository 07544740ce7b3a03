import { sendSignInCode, signInWithCode } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { EmailField } from '../components/forms/email-field.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { rememberRemoved } from '../session/removed-by-proof.ts';
import { useWords } from '../words/words.ts';
import { CodeStep } from './code-step.tsx';
import { EMAIL_CODE } from './email-code-words.ts';
import { rememberLastUsed } from './last-used.ts';
import { useMailedCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';
import { type SecondStep, toSecondStep } from './second-step.ts';
import type { Stay } from './stay-signed-in.ts';

type EmailCodeSignInProps = {
  email: string;
  /** The address cannot be changed: somebody signs in again. */
  isFixed: boolean;
  /** Whether the code goes to `email`; otherwise the address is asked for first. */
  isChosen: boolean;
  stay: Stay;
  /** Called with undefined to ask for another address. */
  onChoose: (email: string | undefined) => void;
  onSecondStep: (step: SecondStep) => void;
  onDone: () => void;
  onBack: () => void;
  onError: (error: unknown) => void;
  /** Links to other entrances. */
  children?: ReactNode;
};

type Fields = { email: string };
type AddressFormProps = { email: string; onChoose: (email: string) => void };

const AddressForm = ({ email, onChoose }: AddressFormProps) => {
  const words = useWords(EMAIL_CODE);
  const choose = useMutation({ mutationFn: async (fields: Fields) => onChoose(fields.email.trim()) });
  useStepFocus('address');
  return (
    <>
      <p className="lead">{words.codeLead}</p>
      <Form submit={words.sendCode} submitting={words.sendingCode} isWide mutation={choose}>
        <EmailField<Fields> name="email" autoComplete="username" defaultValue={email} />
      </Form>
    </>
  );
};

type EnterCodeProps = Omit<EmailCodeSignInProps, 'isChosen' | 'onBack'>;

const EnterCode = (props: EnterCodeProps) => {
  const { email, isFixed, stay, onChoose, onSecondStep, onDone, onError, children } = props;
  const words = useWords(MAILED_CODE);
  const platform = usePlatform();
  const { client } = platform;
  const code = useMailedCode({ purpose: 'sign-in', email, onSend: () => sendSignInCode(client, email) });
  const signIn = async (digits: string): Promise<void> => {
    const next = await signInWithCode(client, { email, code: digits, ...stay }).then(
      rememberRemoved,
      (error: unknown) => toSecondStep(error, platform.kind, email),
    );
    rememberLastUsed(platform.kind, 'method', 'email-code');
    if (next) onSecondStep(next);
    else onDone();
  };
  return (
    <CodeStep
      code={code}
      sentence={words.maybeSentTo}
      onCode={signIn}
      onError={onError}
      onChangeAddress={isFixed ? undefined : () => onChoose(undefined)}
      others={children}
    />
  );
};

/** Signs in with a code that is mailed, in place of the password. */
export const EmailCodeSignIn = ({ isChosen, onBack, ...props }: EmailCodeSignInProps) => {
  const words = useWords(EMAIL_CODE);
  return (
    <>
      {isChosen ? <EnterCode {...props} /> : <AddressForm email={props.email} onChoose={props.onChoose} />}
      <Button look="link" onClick={onBack}>
        {words.usePassword}
      </Button>
    </>
  );
};

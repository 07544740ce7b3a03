import { sendSignInCode, signInWithCode } from '@platform/client/account';
import { Button } from '../components/button.tsx';
import { usePlatform } from '../session/platform.ts';
import { rememberRemoved } from '../session/removed-by-proof.ts';
import { useWords } from '../words/words.ts';
import { AddressForm } from './address-form.tsx';
import { CodeStep } from './code-step.tsx';
import { rememberLastUsed } from './last-used.ts';
import { useMailedCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';
import { toSecondStep } from './second-step.ts';
import type { WayProps } from './steps.ts';

type EmailCodeSignInProps = WayProps & {
  /** The address cannot be changed: somebody signs in again. */
  isFixed: boolean;
  /** Whether the code goes to `email`; otherwise the address is asked for first. */
  isChosen: boolean;
  /** Called with undefined to ask for another address. */
  onChoose: (email: string | undefined) => void;
};

type EnterCodeProps = Omit<EmailCodeSignInProps, 'isChosen' | 'onBack'>;

const EnterCode = (props: EnterCodeProps) => {
  const { email, isFixed, stay, onChoose, onSecondStep, onDone, onError, children } = props;
  const words = useWords(MAILED_CODE);
  const { client, kind } = usePlatform();
  const code = useMailedCode({ purpose: 'sign-in', email, onSend: () => sendSignInCode(client, email) });
  return (
    <CodeStep
      code={code}
      sentence={words.maybeSentTo}
      onCode={(digits) =>
        signInWithCode(client, { email, code: digits, ...stay }).then(
          (removed) => void rememberRemoved(removed),
          (error: unknown) => toSecondStep(error, kind, email),
        )
      }
      onDone={(next) => {
        rememberLastUsed(kind, 'method', 'email-code');
        if (next) onSecondStep(next);
        else onDone();
      }}
      onError={onError}
      onChangeAddress={isFixed ? undefined : () => onChoose(undefined)}
      others={children}
    />
  );
};

/** Signs in with a code that is mailed, in place of the password. */
export const EmailCodeSignIn = ({ isChosen, onBack, ...props }: EmailCodeSignInProps) => {
  const words = useWords(MAILED_CODE);
  return (
    <>
      {isChosen ? <EnterCode {...props} /> : <AddressForm email={props.email} onEmail={props.onChoose} />}
      <Button look="link" onClick={onBack}>
        {words.usePassword}
      </Button>
    </>
  );
};

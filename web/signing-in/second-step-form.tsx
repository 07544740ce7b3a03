import { isPlatformError, type PlatformClient, type SecondFactor } from '@platform/client';
import { completeSignIn, sendNewDeviceCode } from '@platform/client/account';
import { completeSignInWithPasskey, isPasskeyAvailable } from '@platform/client/passkeys';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { CodeField, toDigits } from '../components/code-field.tsx';
import { TextField } from '../components/fields.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { CodeStep } from './code-step.tsx';
import { useMailedCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';
import type { SecondStep } from './second-step.ts';
import { SECOND_STEP } from './second-step-words.ts';

type StepProps = {
  step: SecondStep;
  onDone: () => void;
  /** Back to the first step, with the error that made it necessary. */
  onRestart: (error?: unknown) => void;
};

/** The factors that a form asks for. A platform of a later release may name others, which are left out. */
const TYPED = ['totp', 'recovery-code'] as const;

type Factor = (typeof TYPED)[number] | 'passkey' | 'email-code';

const chooseFirst = (factors: readonly SecondFactor[]): Factor | undefined => {
  if (factors.includes('totp')) return 'totp';
  if (factors.includes('passkey') && isPasskeyAvailable()) return 'passkey';
  if (factors.includes('recovery-code')) return 'recovery-code';
  return factors.includes('email-code') ? 'email-code' : undefined;
};

const PasskeyButton = ({
  step,
  isMain,
  onDone,
  onError,
}: {
  step: SecondStep;
  isMain: boolean;
  onDone: () => void;
  onError: (error: unknown) => void;
}) => {
  const words = useWords(SIGNING_IN);
  const { client } = usePlatform();
  const use = useMutation({
    mutationFn: () => completeSignInWithPasskey(client, step),
    onSuccess: onDone,
    onError,
  });
  return (
    <>
      <ErrorNotice error={isPlatformError(use.error, 'PASSKEY_ABORTED') ? null : use.error} />
      <Button
        isWide
        look={isMain ? 'main' : 'plain'}
        isBusy={use.isPending}
        busyLabel={words.usingPasskey}
        onClick={() => use.mutate()}
      >
        {words.usePasskey}
      </Button>
    </>
  );
};

type NewDeviceProps = { step: SecondStep; onDone: () => void; onError: (error: unknown) => void };

/** The code that is mailed where the account does not know the device. */
const NewDevice = ({ step, onDone, onError }: NewDeviceProps) => {
  const words = useWords(MAILED_CODE);
  // Only customers and employees are asked for it, and the shared client has the type of every kind.
  const client = usePlatform().client as unknown as PlatformClient<'customer'>;
  const code = useMailedCode({
    purpose: 'new-device',
    email: step.email,
    onSend: () => sendNewDeviceCode(client, step),
    onError,
  });
  return (
    <CodeStep
      code={code}
      sentence={words.newDevice}
      onCode={async (emailCode) => {
        await completeSignIn(client, { challenge: step.challenge, emailCode });
        onDone();
      }}
      onError={onError}
    />
  );
};

/** The code of an app, a recovery code, a passkey or a mailed code, after the right password. */
export const SecondStepForm = ({ step, onDone, onRestart }: StepProps) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(SECOND_STEP) };
  const { client } = usePlatform();
  const { challenge, factors } = step;
  const [factor, setFactor] = useState(() => chooseFirst(factors));
  useStepFocus(factor);
  const restartIfOver = (error: unknown): void => {
    if (isPlatformError(error, 'CHALLENGE_INVALID')) onRestart(error);
  };
  const complete = useMutation({
    mutationFn: (read: ReadField) =>
      completeSignIn(client, {
        challenge,
        ...(factor === 'totp'
          ? { totpCode: toDigits(read('totpCode')) }
          : { recoveryCode: read('recoveryCode').trim() }),
      }),
    onSuccess: onDone,
    onError: restartIfOver,
  });
  const choose = (other: (typeof TYPED)[number]): void => {
    complete.reset();
    setFactor(other);
  };
  const others = TYPED.filter((other) => other !== factor && factors.includes(other));
  return (
    <>
      {factor === 'totp' && (
        <Form key="totp" submit={words.next} submitting={words.checking} isWide mutation={complete}>
          <CodeField name="totpCode" label={words.appCode} invalid={words.appCodeInvalid} />
        </Form>
      )}
      {factor === 'recovery-code' && (
        <Form key="recovery-code" submit={words.next} submitting={words.checking} isWide mutation={complete}>
          <TextField
            name="recoveryCode"
            label={words.recoveryCode}
            hint={words.recoveryCodeHint}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Form>
      )}
      {factor === 'email-code' && <NewDevice step={step} onDone={onDone} onError={restartIfOver} />}
      <div className="stack-small">
        {factors.includes('passkey') && isPasskeyAvailable() && (
          <PasskeyButton step={step} isMain={factor === 'passkey'} onDone={onDone} onError={restartIfOver} />
        )}
        {others.map((other) => (
          <Button key={other} look="link" onClick={() => choose(other)}>
            {other === 'totp' ? words.useAppCode : words.useRecoveryCode}
          </Button>
        ))}
        <Button look="link" onClick={() => onRestart()}>
          {words.backToSignIn}
        </Button>
      </div>
    </>
  );
};

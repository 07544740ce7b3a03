import { isPlatformError, type SecondFactor } from '@platform/client';
import { completeSignIn, sendNewDeviceCode } from '@platform/client/account';
import { completeSignInWithPasskey, isPasskeyAvailable } from '@platform/client/passkeys';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { FingerprintIcon } from '../components/form-icons.tsx';
import { CodeForm } from '../components/forms/code-form.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { ErrorNotice } from '../components/notice.tsx';
import { usePlatform } from '../session/platform.ts';
import { COMMON } from '../words/common.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { CodeStep } from './code-step.tsx';
import { readLastUsed, rememberLastUsed } from './last-used.ts';
import { useMailedCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';
import { Person } from './person.tsx';
import type { SecondStep } from './second-step.ts';
import { SECOND_STEP } from './second-step-words.ts';
import { SupportLink } from './support-link.tsx';

/** The factors that this release knows; a later release of the platform may name others. */
const KNOWN = ['totp', 'passkey', 'recovery-code', 'email-code'] as const;
type Factor = (typeof KNOWN)[number];

const listFactors = (factors: readonly SecondFactor[]): Factor[] =>
  KNOWN.filter((factor) => factors.includes(factor) && (factor !== 'passkey' || isPasskeyAvailable()));

/** Chooses the factor that this browser used last. A recovery code is for emergencies. */
const chooseFirst = (factors: readonly Factor[], last: string | undefined): Factor | undefined =>
  factors.find((factor) => factor === last && factor !== 'recovery-code') ?? factors[0];

type FactorProps = {
  step: SecondStep;
  onDone: () => void;
  onError: (error: unknown) => void;
};

const AppCode = ({ step, onDone, onError }: FactorProps) => {
  const words = useWords(SECOND_STEP);
  const { client } = usePlatform();
  return (
    <CodeForm
      name="totpCode"
      label={words.appCode}
      missing={words.appCodeMissing}
      hintWhenWrong={words.appClock}
      onCode={(totpCode) => completeSignIn(client, { challenge: step.challenge, totpCode })}
      onDone={onDone}
      onError={onError}
      wrong={(error) => (isPlatformError(error, 'SECOND_FACTOR_INVALID') ? words.appCodeWrong : undefined)}
    />
  );
};

const PasskeyButton = ({ step, onDone, onError }: FactorProps) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(SECOND_STEP) };
  const { client } = usePlatform();
  const use = useMutation({
    mutationFn: () => completeSignInWithPasskey(client, step),
    onSuccess: onDone,
    onError,
  });
  return (
    <>
      <ErrorNotice error={use.error} />
      <Button isWide look="main" mutation={use} busyLabel={words.usingPasskey}>
        <FingerprintIcon />
        {words.confirmWithPasskey}
      </Button>
    </>
  );
};

type RecoveryFields = { recoveryCode: string };

const RecoveryCode = ({ step, onDone, onError }: FactorProps) => {
  const words = { ...useWords(COMMON), ...useWords(SECOND_STEP) };
  const { client } = usePlatform();
  const complete = useMutation({
    mutationFn: ({ recoveryCode }: RecoveryFields) =>
      completeSignIn(client, { challenge: step.challenge, recoveryCode: recoveryCode.trim() }),
    onSuccess: onDone,
    onError,
  });
  return (
    <Form
      submit={words.next}
      submitting={words.confirming}
      isWide
      mutation={complete}
      fieldErrorsOf={(error) =>
        isPlatformError(error, 'SECOND_FACTOR_INVALID') ? { recoveryCode: words.recoveryWrong } : undefined
      }
    >
      <TextField<RecoveryFields>
        name="recoveryCode"
        label={words.recoveryCode}
        missing={words.recoveryMissing}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="go"
        spellCheck={false}
      />
    </Form>
  );
};

/** The code that is mailed where the account does not know the device. */
const NewDevice = ({ step, onDone, onError }: FactorProps) => {
  const words = useWords(MAILED_CODE);
  const { client } = usePlatform();
  const code = useMailedCode({
    purpose: 'new-device',
    email: step.email,
    onSend: () => sendNewDeviceCode(client, step),
    onError,
  });
  return (
    <CodeStep
      code={code}
      reason={words.newDevice}
      sentence={words.sentTo}
      // The platform counts the tries of the whole sign-in, so another code does not help.
      usedUp={words.signInUsedUp}
      onCode={(emailCode) => completeSignIn(client, { challenge: step.challenge, emailCode })}
      onDone={onDone}
      onError={onError}
    />
  );
};

const FORMS = {
  totp: AppCode,
  passkey: PasskeyButton,
  'recovery-code': RecoveryCode,
  'email-code': NewDevice,
};

type HelpProps = { factor: Factor; factors: readonly Factor[]; onChoose: (factor: Factor) => void };

/** Other factors, and what to do where the device is lost: a recovery code first, then the support. */
const Help = ({ factor, factors, onChoose }: HelpProps) => {
  const words = useWords(SECOND_STEP);
  const others = { totp: words.useAppInstead, passkey: words.usePasskeyInstead };
  const lost = factor === 'passkey' && !factors.includes('totp') ? words.lostPasskey : words.lostPhone;
  const hasRecovery = factor !== 'recovery-code' && factors.includes('recovery-code');
  return (
    <div className="help">
      {(['totp', 'passkey'] as const).map(
        (other) =>
          other !== factor &&
          factors.includes(other) && (
            <div key={other}>
              <Button look="link" onClick={() => onChoose(other)}>
                {others[other]}
              </Button>
            </div>
          ),
      )}
      {hasRecovery && (
        <div className="muted">
          {lost}{' '}
          <Button look="link" onClick={() => onChoose('recovery-code')}>
            {words.useRecoveryCode}
          </Button>
        </div>
      )}
      {!hasRecovery && <SupportLink question={factor === 'recovery-code' ? words.noCodesLeft : lost} />}
    </div>
  );
};

type StepProps = {
  step: SecondStep;
  onDone: () => void;
  /** Goes back to the first step, with the error that made it necessary. */
  onRestart: (error?: unknown) => void;
  /** Called with any other error. */
  onError: (error: unknown) => void;
};

/** The code of an app, a recovery code, a passkey or a mailed code, after the right password. */
export const SecondStepForm = ({ step, onDone, onRestart, onError }: StepProps) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(SECOND_STEP) };
  const { kind } = usePlatform();
  const factors = listFactors(step.factors);
  const [factor, setFactor] = useState(() => chooseFirst(factors, readLastUsed(kind, 'factor')));
  useStepFocus(factor);
  const notYou = (
    <Button look="link" onClick={() => onRestart()}>
      {words.notYou}
    </Button>
  );
  if (factor === undefined)
    return (
      <>
        <SupportLink question={words.lostPasskey} />
        {notYou}
      </>
    );
  const FactorForm = FORMS[factor];
  const leads = { totp: words.appLead, passkey: words.passkeyLead, 'recovery-code': words.recoveryLead };
  const finish = (): void => {
    rememberLastUsed(kind, 'factor', factor);
    onDone();
  };
  const restartIfOver = (error: unknown): void => {
    if (isPlatformError(error, 'CHALLENGE_INVALID')) onRestart(error);
    else onError(error);
  };
  return (
    <>
      {factor !== 'email-code' && (
        <>
          <p className="lead">{leads[factor]}</p>
          {/* After a provider, the address is not known yet. */}
          {step.email ? <Person email={step.email} action={notYou} /> : <div>{notYou}</div>}
        </>
      )}
      <FactorForm step={step} onDone={finish} onError={restartIfOver} />
      {factor === 'email-code' ? (
        <div>{notYou}</div>
      ) : (
        <Help factor={factor} factors={factors} onChoose={setFactor} />
      )}
    </>
  );
};

import { type FactorConfirmation, isPlatformError, type SecondFactorState } from '@platform/client';
import { confirmWithPasskey, isPasskeyAvailable } from '@platform/client/passkeys';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { CodeField } from '../components/forms/code-field.tsx';
import { SelectField, TextField } from '../components/forms/fields.tsx';
import type { FieldErrors } from '../components/forms/form.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { hasTypedPassword, takeTypedPassword } from '../signing-in/typed-password.ts';
import { useWords } from '../words/words.ts';
import { CurrentPassword, type CurrentPasswordFields } from './current-password.tsx';
import { useIdentities, useSecondFactor } from './queries.ts';
import { OWN_ACCOUNT } from './words.ts';

/** Which of them are asked for depends on the account. */
export type ProofFields = CurrentPasswordFields & {
  factor?: string;
  totpCode?: string;
  recoveryCode?: string;
};

type OfferedFactor = 'totp' | 'passkey' | 'recovery-code';

const listFactors = (state: SecondFactorState | undefined): OfferedFactor[] => {
  if (!state) return [];
  const { totp, passkeys, recoveryCodesLeft } = state;
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys.length > 0 && isPasskeyAvailable() ? (['passkey'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery-code'] as const) : []),
  ];
};

const FactorFields = ({ factors }: { factors: readonly OfferedFactor[] }) => {
  const words = useWords(OWN_ACCOUNT);
  const [first = 'totp'] = factors;
  const [factor, setFactor] = useState(first);
  const names = { totp: words.app, passkey: words.passkey, 'recovery-code': words.recoveryCode };
  const options = Object.fromEntries(factors.map((name) => [name, names[name]]));
  return (
    <>
      <SelectField<ProofFields>
        name="factor"
        label={words.confirmWith}
        options={options}
        value={factor}
        onChange={({ currentTarget }) => setFactor(currentTarget.value as OfferedFactor)}
      />
      {factor === 'totp' && (
        <CodeField<ProofFields>
          name="totpCode"
          label={words.appCode}
          invalid={words.appCodeMissing}
          hintWhenWrong={words.appClock}
        />
      )}
      {factor === 'recovery-code' && (
        <TextField<ProofFields>
          name="recoveryCode"
          label={words.recoveryCode}
          missing={words.recoveryMissing}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  );
};

type Proof = {
  /** The fields of a form that ask for the proof. */
  fields: ReactNode;
  read: (fields: ProofFields) => Promise<FactorConfirmation>;
  /** The texts of a form that asks for the proof, after an error. */
  form: {
    /** The next step after REAUTHENTICATION_REQUIRED: an account without password and factor signs in again. */
    advice: (error: unknown) => ReactNode;
    /** A sentence for the typed factor: the platform has one sentence for all factors. */
    fieldErrorsOf: (error: unknown) => FieldErrors | undefined;
  };
};

/**
 * Anybody who changes the account proves that it is theirs: by the password, and by a factor where
 * one is wanted and a second step is due.
 * An account without a password always uses a factor, or a fresh sign-in.
 */
export const useProof = ({ wantsFactor = false } = {}): Proof => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { signInAgain } = useSignedIn();
  const hasPassword = useIdentities().data?.hasPassword ?? true;
  const { data } = useSecondFactor();
  const factors = listFactors(data);
  const asksFactor = factors.length > 0 && ((wantsFactor && data?.isRequired) || !hasPassword);
  const readFactor = async ({ totpCode, recoveryCode, factor }: ProofFields): Promise<FactorConfirmation> => {
    if (totpCode) return { totpCode };
    if (recoveryCode) return { recoveryCode: recoveryCode.trim() };
    return factor === 'passkey' ? await confirmWithPasskey(client) : {};
  };
  return {
    fields: (
      <>
        {hasPassword && <CurrentPassword />}
        {asksFactor && <FactorFields factors={factors} />}
      </>
    ),
    read: async ({ currentPassword, ...factor }) => ({
      ...(await readFactor(factor)),
      ...(currentPassword !== undefined && { currentPassword }),
    }),
    form: {
      advice: (error) =>
        isPlatformError(error, 'REAUTHENTICATION_REQUIRED') && (
          <Button look="link" onClick={() => void signInAgain()}>
            {words.signInAgain}
          </Button>
        ),
      fieldErrorsOf: (error) =>
        isPlatformError(error, 'SECOND_FACTOR_INVALID')
          ? { totpCode: words.appCodeWrong, recoveryCode: words.recoveryWrong }
          : undefined,
    },
  };
};

/** Proves the account by the password that has just signed in, once, and asks for a proof if there is none. */
export const useTypedProof = () => {
  const { user } = useSignedIn();
  const proof = useProof();
  const [isProven, setProven] = useState(() => hasTypedPassword(user.email));
  return {
    ...proof,
    fields: !isProven && proof.fields,
    isProven,
    /** To be called when the password may have been used or deleted. */
    update: () => setProven(hasTypedPassword(user.email)),
    read: async (fields: ProofFields) => {
      const currentPassword = takeTypedPassword(user.email);
      return currentPassword === undefined ? await proof.read(fields) : { currentPassword };
    },
  };
};

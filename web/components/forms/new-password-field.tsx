import './strength.css';
import { useState } from 'react';
import { NEW_PASSWORD } from '../../words/new-password.ts';
import { SIGNING_IN } from '../../words/signing-in.ts';
import { useWords } from '../../words/words.ts';
import { CheckIcon } from '../form-icons.tsx';
import { type NameIn, PasswordField } from './fields.tsx';
import { useFieldError } from './form.tsx';
import { judgePassword, MINIMUM_LENGTH, type PasswordStrength } from './password-strength.ts';

const STEPS: Record<PasswordStrength, number> = { short: 1, guessable: 2, long: 3 };

type StrengthProps = { strength: PasswordStrength; isRejected: boolean };

/**
 * Shows the strength in three steps with a word beside them, never by the colour alone. The error of a rejected
 * password says why it was rejected.
 */
const Strength = ({ strength, isRejected }: StrengthProps) => {
  const words = useWords(NEW_PASSWORD);
  return (
    <span className={`strength strength-${isRejected ? 1 : STEPS[strength]}`}>
      <i />
      <i />
      <i />
      <span role="status">{!isRejected && words.strength[strength]}</span>
    </span>
  );
};

type NewPasswordFieldProps<Fields extends object> = { name: NameIn<Fields>; label: string };

/** A password that is chosen. The platform judges it; length and the most frequent ones are told while typing. */
export const NewPasswordField = <Fields extends object = object>({
  name,
  label,
}: NewPasswordFieldProps<Fields>) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(NEW_PASSWORD) };
  const [strength, setStrength] = useState<PasswordStrength>();
  const isRejected = useFieldError(name) !== undefined;
  const isLong = strength !== undefined && strength !== 'short';
  return (
    <PasswordField<Fields>
      name={name}
      label={label}
      below={
        <>
          {strength && <Strength strength={strength} isRejected={isRejected} />}
          <span className={isLong ? 'field-hint field-hint-met' : 'field-hint'}>
            {isLong && <CheckIcon />}
            {words.length}
          </span>
        </>
      }
      missing={name === 'password' ? words.passwordMissing : words.tooShort}
      invalid={words.tooShort}
      autoComplete="new-password"
      enterKeyHint="go"
      minLength={MINIMUM_LENGTH}
      onChange={({ currentTarget }) => setStrength(judgePassword(currentTarget.value))}
    />
  );
};

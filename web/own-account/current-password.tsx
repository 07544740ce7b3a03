import { HiddenUsername, PasswordField } from '../components/forms/fields.tsx';
import { useSignedIn } from '../session/session-gate.tsx';
import { useWords } from '../words/words.ts';
import { OWN_ACCOUNT } from './words.ts';

export type CurrentPasswordFields = { currentPassword?: string };

/** Asks for the password of the account, whose address tells a password manager which one it is. */
export const CurrentPassword = ({ label }: { label?: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  return (
    <>
      <HiddenUsername email={user.email} />
      <PasswordField<CurrentPasswordFields>
        name="currentPassword"
        label={label ?? words.currentPassword}
        missing={words.passwordMissing}
        autoComplete="current-password"
      />
    </>
  );
};

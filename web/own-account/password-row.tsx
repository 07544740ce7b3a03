import { Button } from '../components/button.tsx';
import { NewPasswordField } from '../components/forms/new-password-field.tsx';
import { useWords } from '../words/words.ts';
import { AccountAction, type Change } from './account-action.tsx';
import { PasswordIcon } from './account-icons.tsx';
import { CurrentPassword } from './current-password.tsx';
import { useIdentities } from './queries.ts';
import { Row } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

type Fields = { currentPassword: string; newPassword: string };

const ChangePassword = ({ isInitiallyOpen }: { isInitiallyOpen: boolean }) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <AccountAction
      button={words.change}
      isInitiallyOpen={isInitiallyOpen}
      buttonLabel={words.changePassword}
      title={words.changePassword}
      text={words.passwordHint}
      submit={words.changePassword}
      submitting={words.changing}
      onSubmit={({ client, fields: { currentPassword, newPassword } }: Change<Fields>) =>
        client.changePassword({ currentPassword, newPassword })
      }
      done={() => words.passwordChanged}
      passwordFields={
        <>
          <CurrentPassword />
          <NewPasswordField<Fields> name="newPassword" label={words.newPassword} />
        </>
      }
    />
  );
};

export const PasswordRow = ({ isChanging, onSet }: { isChanging: boolean; onSet: () => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const hasPassword = useIdentities().data?.hasPassword ?? true;
  return hasPassword ? (
    <Row
      icon={<PasswordIcon />}
      title={words.password}
      notes={[words.passwordNote]}
      action={<ChangePassword isInitiallyOpen={isChanging} />}
    />
  ) : (
    <Row
      icon={<PasswordIcon />}
      title={words.password}
      notes={[words.noPassword]}
      action={
        <Button look="link" onClick={onSet}>
          {words.setPassword}
        </Button>
      }
    />
  );
};

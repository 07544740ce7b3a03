import { CardRow } from '../components/card.tsx';
import { HiddenUsername, PasswordField } from '../components/fields.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { useIdentities } from './queries.ts';

export const PasswordRow = ({ isChanging }: { isChanging: boolean }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const hasPassword = useIdentities().data?.hasPassword ?? true;
  if (!hasPassword)
    return (
      <CardRow>
        {words.password}
        <div className="muted small">
          {words.noPassword}. {words.setPasswordHint}
        </div>
      </CardRow>
    );
  return (
    <CardRow
      button={
        <AccountAction
          button={words.change}
          isInitiallyOpen={isChanging}
          buttonLabel={words.changePassword}
          title={words.changePassword}
          submit={words.changePassword}
          submitting={words.confirming}
          onSubmit={(read) =>
            client.changePassword({
              currentPassword: read('currentPassword'),
              newPassword: read('newPassword'),
            })
          }
          done={() => words.passwordChanged}
          passwordFields={
            <>
              <HiddenUsername email={user.email} />
              <PasswordField
                name="currentPassword"
                label={words.currentPassword}
                autoComplete="current-password"
                maxLength={256}
              />
              <PasswordField
                name="newPassword"
                label={words.newPassword}
                hint={words.passwordHint}
                invalid={words.passwordInvalid}
                autoComplete="new-password"
                minLength={8}
                maxLength={72}
              />
            </>
          }
        />
      }
    >
      {words.password}
    </CardRow>
  );
};

import type { AdminUserDetail } from '@platform/client';
import type { ComponentProps } from 'react';
import { DialogButton } from '../../components/forms/action-dialog.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOfUser } from '../records/people.ts';
import { UserActionDialog } from './user-dialog.tsx';
import { USER_HELP } from './user-help-words.ts';

type UserProps = { user: AdminUserDetail };

type RemovalProps = UserProps &
  Pick<ComponentProps<typeof UserActionDialog>, 'title' | 'submit' | 'submitting' | 'act'> & {
    button?: string;
    /** The thing that the button removes, for a screen reader. */
    object: string;
    text?: string;
    done: string;
  };

/** The button and the dialog that remove one way to sign in. */
const Removal = ({ button, object, text, done, ...action }: RemovalProps) => {
  const help = useWords(USER_HELP);
  return (
    <DialogButton label={button ?? help.removeOne} object={object}>
      {(dialog) => (
        <UserActionDialog submitting={help.removing} {...action} {...dialog} done={() => done}>
          <p>{text ?? help.factorText(nameOfUser(action.user))}</p>
        </UserActionDialog>
      )}
    </DialogButton>
  );
};

export const RemoveApp = ({ user, app }: UserProps & { app: string }) => {
  const help = useWords(USER_HELP);
  const name = nameOfUser(user);
  return (
    <Removal
      user={user}
      object={app}
      title={help.appQuestion(name)}
      submit={help.removeApp}
      done={help.appRemoved(name)}
      act={() => backOffice.DELETE('/users/{id}/totp', { params: { path: { id: user.id } } })}
    />
  );
};

type PasskeyProps = UserProps & { passkey: { id: string; name: string } };

export const RemovePasskey = ({ user, passkey: { id: passkeyId, name: passkey } }: PasskeyProps) => {
  const help = useWords(USER_HELP);
  const path = { id: user.id, passkeyId };
  return (
    <Removal
      user={user}
      object={passkey}
      title={help.passkeyQuestion(passkey, nameOfUser(user))}
      submit={help.removePasskey}
      done={help.passkeyRemoved(passkey)}
      act={() => backOffice.DELETE('/users/{id}/passkeys/{passkeyId}', { params: { path } })}
    />
  );
};

/** Disconnects a provider. @param provider its name, as the sign-in page shows it */
export const Disconnect = ({ user, id, provider }: UserProps & { id: string; provider: string }) => {
  const help = useWords(USER_HELP);
  const name = nameOfUser(user);
  const path = { id: user.id, identityId: id };
  return (
    <Removal
      user={user}
      button={help.disconnect}
      object={provider}
      title={help.disconnectQuestion(provider, name)}
      text={help.disconnectText(provider, name)}
      submit={help.disconnectIt}
      submitting={help.disconnecting}
      done={help.disconnected(provider)}
      act={() => backOffice.DELETE('/users/{id}/identities/{identityId}', { params: { path } })}
    />
  );
};

import type { AdminUserDetail } from '@platform/client';
import { type ComponentProps, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOfUser } from '../records/people.ts';
import { UserActionDialog } from './user-dialog.tsx';
import { USER_HELP } from './user-help-words.ts';

type UserProps = { user: AdminUserDetail };

type RemovalProps = Omit<ComponentProps<typeof UserActionDialog>, 'isOpen' | 'onClose' | 'children'> & {
  button: string;
  /** What the button removes, for a screen reader. */
  object: string;
  text: string;
};

/** A button and the dialog that it opens. */
const Removal = ({ button, object, text, ...dialog }: RemovalProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall aria-label={`${button} ${object}`} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <UserActionDialog {...dialog} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{text}</p>
      </UserActionDialog>
    </>
  );
};

export const RemoveApp = ({ user, app }: UserProps & { app: string }) => {
  const help = useWords(USER_HELP);
  const name = nameOfUser(user);
  return (
    <Removal
      user={user}
      button={help.removeOne}
      object={app}
      title={help.appQuestion(name)}
      text={help.factorText(name)}
      submit={help.removeApp}
      submitting={help.removing}
      done={() => help.appRemoved(name)}
      act={() => backOffice.DELETE('/users/{id}/totp', { params: { path: { id: user.id } } })}
    />
  );
};

export const RemovePasskey = ({
  user,
  passkey: { id: passkeyId, name: passkey },
}: UserProps & { passkey: { id: string; name: string } }) => {
  const help = useWords(USER_HELP);
  const name = nameOfUser(user);
  return (
    <Removal
      user={user}
      button={help.removeOne}
      object={passkey}
      title={help.passkeyQuestion(passkey, name)}
      text={help.factorText(name)}
      submit={help.removePasskey}
      submitting={help.removing}
      done={() => help.passkeyRemoved(passkey)}
      act={() =>
        backOffice.DELETE('/users/{id}/passkeys/{passkeyId}', {
          params: { path: { id: user.id, passkeyId } },
        })
      }
    />
  );
};

/** Disconnects a provider. @param provider its name, as the sign-in page shows it */
export const Disconnect = ({
  user,
  id: identityId,
  provider,
}: UserProps & { id: string; provider: string }) => {
  const help = useWords(USER_HELP);
  const name = nameOfUser(user);
  return (
    <Removal
      user={user}
      button={help.disconnect}
      object={provider}
      title={help.disconnectQuestion(provider, name)}
      text={help.disconnectText(provider, name)}
      submit={help.disconnectIt}
      submitting={help.disconnecting}
      done={() => help.disconnected(provider)}
      act={() =>
        backOffice.DELETE('/users/{id}/identities/{identityId}', {
          params: { path: { id: user.id, identityId } },
        })
      }
    />
  );
};

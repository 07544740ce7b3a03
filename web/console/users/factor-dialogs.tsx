import type { AdminUserDetail } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOfUser } from '../records/people.ts';
import { UserDialog } from './user-dialog.tsx';
import { USER_HELP } from './user-help-words.ts';
import { USER_CHANGE } from './user-queries.ts';

type UserProps = { user: AdminUserDetail };

type RemovalProps = UserProps & {
  button: string;
  /** What the button removes, for a screen reader. */
  object: string;
  title: string;
  text: string;
  submit: string;
  submitting: string;
  done: string;
  remove: () => Promise<unknown>;
};

/** A button and the dialog that it opens. */
const Removal = ({ user, button, object, title, text, submit, submitting, done, remove }: RemovalProps) => {
  const say = useSayStatus();
  const [isOpen, setOpen] = useState(false);
  const mutation = useMutation({ mutationFn: remove, meta: USER_CHANGE, onSuccess: () => say(done) });
  return (
    <>
      <Button isSmall aria-label={`${button} ${object}`} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <UserDialog
        user={user}
        title={title}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={submit}
        submitting={submitting}
        mutation={mutation}
      >
        <p>{text}</p>
      </UserDialog>
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
      done={help.appRemoved(name)}
      remove={() => backOffice.DELETE('/users/{id}/totp', { params: { path: { id: user.id } } })}
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
      done={help.passkeyRemoved(passkey)}
      remove={() =>
        backOffice.DELETE('/users/{id}/passkeys/{passkeyId}', {
          params: { path: { id: user.id, passkeyId } },
        })
      }
    />
  );
};

/** `provider` is its name. */
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
      done={help.disconnected(provider)}
      remove={() =>
        backOffice.DELETE('/users/{id}/identities/{identityId}', {
          params: { path: { id: user.id, identityId } },
        })
      }
    />
  );
};

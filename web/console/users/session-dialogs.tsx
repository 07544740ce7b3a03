import { Link } from 'wouter';
import { backOffice } from '../back-office.ts';
import { OWN_ACCOUNT_PATH } from '../places.ts';
import { UserActionDialog, type UserDialogProps, useUserDialog } from './user-dialog.tsx';

export const EndAllDialog = (dialog: UserDialogProps) => {
  const { words, name, at, isOwn } = useUserDialog(dialog.user);
  return (
    <UserActionDialog
      {...dialog}
      title={words.endAllQuestion(name)}
      submit={words.endAll}
      submitting={words.ending}
      whether={words.whether.ended(name)}
      act={() => backOffice.DELETE('/users/{id}/sessions', at)}
      done={() => words.endedAll(name)}
    >
      <p>{words.endAllText(name)}</p>
      {isOwn && <p className="strong">{words.takeOwn}</p>}
    </UserActionDialog>
  );
};

type EndOneProps = UserDialogProps & { sessionId: string; device: string };

export const EndOneDialog = ({ sessionId, device, ...dialog }: EndOneProps) => {
  const { id } = dialog.user;
  const { words, name } = useUserDialog(dialog.user);
  return (
    <UserActionDialog
      {...dialog}
      title={words.endQuestion(device)}
      submit={words.endOne}
      submitting={words.ending}
      whether={words.whether.ended(name)}
      act={() =>
        backOffice.DELETE('/users/{id}/sessions/{sessionId}', { params: { path: { id, sessionId } } })
      }
      done={() => words.endedOne(device)}
    >
      <p>{words.endText(name)}</p>
    </UserActionDialog>
  );
};

export const RemoveFactorsDialog = (dialog: UserDialogProps) => {
  const { words, name, at, isOwn } = useUserDialog(dialog.user);
  return (
    <UserActionDialog
      {...dialog}
      title={words.removeQuestion(name)}
      submit={isOwn ? undefined : words.remove}
      submitting={words.removing}
      whether={words.whether.factors(name)}
      act={() => backOffice.DELETE('/users/{id}/second-factor', at)}
      done={() => words.removed(name)}
    >
      <p>{isOwn ? <Link href={OWN_ACCOUNT_PATH}>{words.removeOwn}</Link> : words.removeText(name)}</p>
    </UserActionDialog>
  );
};

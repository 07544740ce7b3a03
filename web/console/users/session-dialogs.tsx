import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useSayStatus } from '../../components/status.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { OWN_ACCOUNT_PATH } from '../places.ts';
import { nameOfUser } from '../records/people.ts';
import type { UserDialogProps } from './block-dialogs.tsx';
import { USER_ACTIONS } from './user-action-words.ts';
import { UserDialog } from './user-dialog.tsx';
import { USER_CHANGE } from './user-queries.ts';
import { WHETHER } from './whether-words.ts';

export const EndAllDialog = ({ user, ...dialog }: UserDialogProps) => {
  const words = useWords(USER_ACTIONS);
  const whether = useWords(WHETHER);
  const say = useSayStatus();
  const isOwn = useSignedIn().user.id === user.id;
  const name = nameOfUser(user);
  const mutation = useMutation({
    mutationFn: () => backOffice.DELETE('/users/{id}/sessions', { params: { path: { id: user.id } } }),
    meta: { ...USER_CHANGE, whether: whether.ended(name) },
    onSuccess: () => say(words.endedAll(name)),
  });
  return (
    <UserDialog
      user={user}
      {...dialog}
      title={words.endAllQuestion(name)}
      submit={words.endAll}
      submitting={words.ending}
      mutation={mutation}
    >
      <p>{words.endAllText(name)}</p>
      {isOwn && <p className="strong">{words.takeOwn}</p>}
    </UserDialog>
  );
};

type EndOneProps = UserDialogProps & { sessionId: string; device: string };

export const EndOneDialog = ({ user, sessionId, device, ...dialog }: EndOneProps) => {
  const words = useWords(USER_ACTIONS);
  const whether = useWords(WHETHER);
  const say = useSayStatus();
  const mutation = useMutation({
    mutationFn: () =>
      backOffice.DELETE('/users/{id}/sessions/{sessionId}', { params: { path: { id: user.id, sessionId } } }),
    meta: { ...USER_CHANGE, whether: whether.ended(nameOfUser(user)) },
    onSuccess: () => say(words.endedOne(device)),
  });
  return (
    <UserDialog
      user={user}
      {...dialog}
      title={words.endQuestion(device)}
      submit={words.endOne}
      submitting={words.ending}
      mutation={mutation}
    >
      <p>{words.endText(nameOfUser(user))}</p>
    </UserDialog>
  );
};

export const RemoveFactorsDialog = ({ user, ...dialog }: UserDialogProps) => {
  const words = useWords(USER_ACTIONS);
  const whether = useWords(WHETHER);
  const say = useSayStatus();
  const isOwn = useSignedIn().user.id === user.id;
  const name = nameOfUser(user);
  const mutation = useMutation({
    mutationFn: () => backOffice.DELETE('/users/{id}/second-factor', { params: { path: { id: user.id } } }),
    meta: { ...USER_CHANGE, whether: whether.factors(name) },
    onSuccess: () => say(words.removed(name)),
  });
  return (
    <UserDialog
      user={user}
      {...dialog}
      title={words.removeQuestion(name)}
      submit={isOwn ? undefined : words.remove}
      submitting={words.removing}
      mutation={mutation}
    >
      {isOwn ? (
        <p>
          <Link href={OWN_ACCOUNT_PATH}>{words.removeOwn}</Link>
        </p>
      ) : (
        <p>{words.removeText(name)}</p>
      )}
    </UserDialog>
  );
};

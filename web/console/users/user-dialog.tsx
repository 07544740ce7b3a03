import type { AdminUserDetail } from '@platform/client';
import type { ComponentProps } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import {
  ActionDialog,
  type DialogState,
  WriteDialog,
  type WriteDialogProps,
} from '../../components/forms/action-dialog.tsx';
import { Pill } from '../../components/state.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { nameOfUser } from '../records/people.ts';
import { USER_ACTIONS } from './user-action-words.ts';
import { USER_CHANGE } from './user-queries.ts';
import { USERS } from './user-words.ts';
import './user.css';

type UserProps = { user: AdminUserDetail };

const Subject = ({ user }: UserProps) => {
  const names = useWords(NAMES);
  const name = nameOfUser(user);
  return (
    <div className="user-subject">
      <Avatar name={name} size={32} />
      <div className="user-subject-text">
        <bdi className="strong">{name}</bdi>
        {user.name !== null && <bdi className="muted small">{user.email}</bdi>}
      </div>
      <span className="row row-end">
        {user.roles.map((role) => (
          <Pill key={role}>{nameOf(names.roles, role)}</Pill>
        ))}
      </span>
    </div>
  );
};

type DialogProps = ComponentProps<typeof ActionDialog> & UserProps;
export type UserDialogProps = DialogState & UserProps;

/** A dialog about one person, who is shown in it, so that nobody acts on a namesake. */
export const UserDialog = ({ user, children, ...dialog }: DialogProps) => (
  <ActionDialog {...dialog}>
    <Subject user={user} />
    {children}
  </ActionDialog>
);

/** Values for the dialogs about a person: words, name, path parameters, and whether the reader is the person. */
export const useUserDialog = (user: AdminUserDetail) => ({
  words: useWords(USER_ACTIONS),
  name: nameOfUser(user),
  at: { params: { path: { id: user.id } } },
  isOwn: useSignedIn().user.id === user.id,
});

type UserActionDialogProps<Result> = UserProps &
  Omit<WriteDialogProps<Result>, 'meta'> & { whether?: string };

/** A UserDialog that changes the person. `whether` is the question that stays open while its answer is lost. */
export const UserActionDialog = <Result,>(props: UserActionDialogProps<Result>) => {
  const { user, children, whether, ...dialog } = props;
  return (
    <WriteDialog {...dialog} meta={whether === undefined ? USER_CHANGE : { ...USER_CHANGE, whether }}>
      <Subject user={user} />
      {children}
    </WriteDialog>
  );
};

/** Leads to the role, where the API would reject an action because of it. */
export const TakeRoleFirst = ({ onTakeRole, ...dialog }: DialogProps & { onTakeRole: () => void }) => {
  const { takeRole } = useWords(USERS);
  const instead = (
    <Button look="main" onClick={onTakeRole}>
      {takeRole}
    </Button>
  );
  return <UserDialog {...dialog} instead={instead} />;
};

import type { AdminUserDetail } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { ActionDialog } from '../../components/forms/action-dialog.tsx';
import { Pill } from '../../components/state.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { nameOfUser } from '../records/people.ts';
import { USER_ACTIONS } from './user-action-words.ts';
import { USER_CHANGE } from './user-queries.ts';
import { WHETHER } from './whether-words.ts';
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

type UserDialogProps = ComponentProps<typeof ActionDialog> & UserProps;

/** A dialog about one person, who is shown in it, so that nobody acts on a namesake. */
export const UserDialog = ({ user, children, ...dialog }: UserDialogProps) => (
  <ActionDialog {...dialog}>
    <Subject user={user} />
    {children}
  </ActionDialog>
);

/** The words of a dialog about a person, and what the person is called there. */
export const useUserWords = (user: AdminUserDetail) => ({
  words: useWords(USER_ACTIONS),
  whether: useWords(WHETHER),
  name: nameOfUser(user),
});

type UserActionDialogProps<Result> = Omit<UserDialogProps, 'mutation'> & {
  /** The question that stays open while the answer of the write is lost. */
  whether?: string;
  act: (fields: never) => Promise<Result>;
  /** Said when it has succeeded. */
  done: (result: Result) => string;
};

/** A dialog that changes one person, and then says what was done. */
export const UserActionDialog = <Result,>({
  whether,
  act,
  done,
  ...dialog
}: UserActionDialogProps<Result>) => {
  const say = useSayStatus();
  const mutation = useMutation({
    mutationFn: act,
    meta: { ...USER_CHANGE, ...(whether !== undefined && { whether }) },
    onSuccess: (result) => say(done(result)),
  });
  return <UserDialog {...dialog} mutation={mutation} />;
};

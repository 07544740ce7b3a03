import type { AdminUserDetail } from '@platform/client';
import type { ComponentProps } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { ActionDialog } from '../../components/forms/action-dialog.tsx';
import { Pill } from '../../components/state.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { nameOfUser } from '../records/people.ts';
import './person.css';

type UserProps = { user: AdminUserDetail };

const Subject = ({ user }: UserProps) => {
  const names = useWords(NAMES);
  const name = nameOfUser(user);
  return (
    <div className="subject">
      <Avatar name={name} size={32} />
      <div className="subject-text">
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

/** A dialog about one person, who is shown in it, so that nobody acts on a namesake. */
export const UserDialog = ({
  user,
  children,
  ...dialog
}: ComponentProps<typeof ActionDialog> & UserProps) => (
  <ActionDialog {...dialog}>
    <Subject user={user} />
    {children}
  </ActionDialog>
);

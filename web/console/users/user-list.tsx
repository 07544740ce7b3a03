import type { AdminUser } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { LazyDialog } from '../../components/frame/lazy-dialog.tsx';
import { BlockIcon, SignOutIcon } from '../../components/icons.tsx';
import { lazyComponent } from '../../components/lazy-component.ts';
import { ListPage } from '../../components/lists/list-page.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { type Column, CutText, RowLink, timeColumn } from '../../components/lists/table.tsx';
import { Pill, State } from '../../components/state.tsx';
import { useDaysAgo } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { isUuid, keyOf, oneOf, toBoolean } from '../query-fields.ts';
import { isDeleted, nameOfUser } from '../records/people.ts';
import { USER_LIST } from './user-list-words.ts';
import { userList } from './user-queries.ts';
import { USERS } from './user-words.ts';
import type { UsersAction } from './users-dialog.tsx';

// Loaded when an action on several people is chosen.
const UsersDialog = lazyComponent(() => import('./users-dialog.tsx'), 'UsersDialog');

const ORDERS = ['-createdAt', 'createdAt', '-lastSignInAt', 'lastSignInAt'] as const;

/** A usual state is shown as well, so that each row has one. */
const UserState = ({ user }: { user: AdminUser }) => {
  const words = useWords(USERS);
  const listWords = useWords(USER_LIST);
  if (isDeleted(user)) return <State look="off">{words.deleted}</State>;
  if (user.isBlocked) return <State look="bad">{words.blocked}</State>;
  if (!user.isEmailVerified) return <State look="warn">{listWords.notVerified}</State>;
  return <State look="ok">{listWords.active}</State>;
};

const useColumns = (): Column<AdminUser>[] => {
  const words = useWords(USERS);
  const listWords = useWords(USER_LIST);
  const names = useWords(NAMES);
  return [
    {
      label: listWords.name,
      isName: true,
      cell: (user) => (
        <span className="avatar-line">
          <Avatar name={nameOfUser(user)} />
          <span className="avatar-line-text">
            <RowLink href={`/users/${user.id}`} name={nameOfUser(user)} isMuted={isDeleted(user)} />
            <span className="muted small text-cut table-only-narrow">{user.name !== null && user.email}</span>
          </span>
        </span>
      ),
    },
    {
      label: listWords.address,
      leavesBelow: 1100,
      cell: ({ name, email }) => (
        <span className="muted">
          {!isDeleted({ email }) && <CutText text={name === null ? words.noName : email} />}
        </span>
      ),
    },
    {
      label: words.roles,
      width: 168,
      leavesBelow: 820,
      cell: ({ roles }) => roles.map((role) => <Pill key={role}>{nameOf(names.roles, role)}</Pill>),
    },
    { label: words.state, width: 116, isEndOfBlock: true, cell: (user) => <UserState user={user} /> },
    {
      ...timeColumn<AdminUser>(words.signedUp, 112, ({ createdAt }) => createdAt),
      leavesBelow: 1100,
      sort: 'createdAt',
    },
    {
      ...timeColumn<AdminUser>(words.lastSignIn, 144, ({ lastSignInAt }) => lastSignInAt),
      sort: 'lastSignInAt',
    },
  ];
};

type ActionsProps = Omit<UsersAction, 'name'> & { onChoose: (action: UsersAction) => void };

/** The buttons of the actions on the selected people. */
const UsersActions = ({ onChoose, ...chosen }: ActionsProps) => {
  const words = useWords(USER_LIST);
  return (
    <>
      <Button look="danger-quiet" onClick={() => onChoose({ name: 'block', ...chosen })}>
        <BlockIcon />
        {words.block}
      </Button>
      <Button look="quiet" onClick={() => onChoose({ name: 'end', ...chosen })}>
        <SignOutIcon />
        {words.endSessions}
      </Button>
    </>
  );
};

/** Lists everybody who has an account, with a search by parts of names and addresses. */
export const UserList = () => {
  const words = useWords(USERS);
  const listWords = useWords(USER_LIST);
  const names = useWords(NAMES);
  const [, navigate] = useLocation();
  const list = useListState(['role', 'isBlocked', 'isEmailVerified', 'signedUpDays']);
  const { page, perPage, search, filters } = list;
  const toDaysAgo = useDaysAgo();
  const signedUpDays = oneOf(['7', '30', '90'] as const, filters.signedUpDays);
  const query = useQuery(
    userList({
      page,
      perPage,
      q: search || undefined,
      role: keyOf(names.roles, filters.role),
      isBlocked: toBoolean(filters.isBlocked),
      isEmailVerified: toBoolean(filters.isEmailVerified),
      createdFrom: signedUpDays && toDaysAgo(signedUpDays),
      sort: oneOf(ORDERS, list.sort),
    }),
  );
  const columns = useColumns();
  const openId = (text: string): boolean => {
    if (!isUuid(text)) return false;
    navigate(`/users/${text}`);
    return true;
  };
  const [action, setAction] = useState<UsersAction>();
  const close = () => setAction(undefined);
  return (
    <>
      <ListPage
        title={words.users}
        list={list}
        query={query}
        columns={columns}
        defaultSort="-createdAt"
        search={words.search}
        onEnter={openId}
        filters={[
          { name: 'role', label: words.role, options: names.roles },
          {
            name: 'isBlocked',
            label: words.state,
            options: { true: words.blocked, false: words.notBlocked },
          },
          {
            name: 'isEmailVerified',
            label: listWords.address,
            options: { true: listWords.verified, false: listWords.notVerified },
          },
          { name: 'signedUpDays', label: words.signedUp, options: listWords.lastDays },
        ]}
        several={{
          nameOf: nameOfUser,
          isSelectable: (user) => !isDeleted(user),
          actions: (selected, clear) => <UsersActions users={selected} onDone={clear} onChoose={setAction} />,
        }}
        empty={words}
      />
      {action && (
        <LazyDialog onClose={close}>
          <UsersDialog action={action} onClose={close} />
        </LazyDialog>
      )}
    </>
  );
};

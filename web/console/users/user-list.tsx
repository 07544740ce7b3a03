import type { AdminUser } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { Column } from '../../components/list.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { useListState } from '../../components/list-state.ts';
import { State } from '../../components/state.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { isUuid, oneOf, toBoolean } from '../query-fields.ts';
import { nameOfUser } from './user.ts';
import { ROLES, userList } from './user-queries.ts';
import { USERS } from './user-words.ts';

/** That somebody is blocked, and that the address is not verified. */
export const UserBadges = ({ user }: { user: Pick<AdminUser, 'isBlocked' | 'isEmailVerified'> }) => {
  const words = useWords(USERS);
  return (
    <>
      {user.isBlocked && <State look="bad">{words.blocked}</State>}
      {user.isBlocked && !user.isEmailVerified && ' '}
      {!user.isEmailVerified && <State look="warn">{words.notVerified}</State>}
    </>
  );
};

const useColumns = (): Column<AdminUser>[] => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  return [
    {
      label: words.user,
      isName: true,
      cell: (user) => (
        <>
          <Link href={`/users/${user.id}`}>{nameOfUser(user)}</Link>
          <div className="muted small">{user.name === null ? words.noName : user.email}</div>
        </>
      ),
    },
    { label: words.roles, cell: ({ roles }) => roles.map((role) => nameOf(names.roles, role)).join(', ') },
    {
      label: words.state,
      cell: (user) => (user.isBlocked || !user.isEmailVerified ? <UserBadges user={user} /> : null),
    },
    { label: words.signedUp, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: words.lastSignIn, cell: ({ lastSignInAt }) => <Time at={lastSignInAt} /> },
  ];
};

/** Everybody who has an account, found by half a name or address. */
export const UserList = () => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  const [, navigate] = useLocation();
  const list = useListState(['role', 'isBlocked']);
  const { page, perPage, search, filters } = list;
  const query = useQuery(
    userList({
      page,
      perPage,
      q: search || undefined,
      role: oneOf(ROLES, filters.role),
      isBlocked: toBoolean(filters.isBlocked),
    }),
  );
  const columns = useColumns();
  const openId = (text: string): boolean => {
    if (!isUuid(text)) return false;
    navigate(`/users/${text}`);
    return true;
  };
  const withoutSearch = list.isFiltered ? words.noneFiltered : words.none;
  return (
    <ListPage
      title={words.users}
      actions={
        <Link className="button button-main" href="/invitations">
          {words.invite}
        </Link>
      }
      list={list}
      query={query}
      columns={columns}
      search={words.search}
      onEnter={openId}
      filters={[
        { name: 'role', label: words.role, options: names.roles },
        { name: 'isBlocked', label: words.state, options: { true: words.blocked, false: words.notBlocked } },
      ]}
      empty={search ? words.noneFound(search) : withoutSearch}
    />
  );
};

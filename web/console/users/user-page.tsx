import { type AdminUserDetail, isPlatformError } from '@platform/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { useDialogs } from '../../components/forms/action-dialog.tsx';
import { Page } from '../../components/frame/page.tsx';
import { UnavailablePage } from '../../components/frame/unavailable-page.tsx';
import { usePageKeys } from '../../components/keys/page-keys.ts';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { PageSkeleton, QueryError } from '../../components/states.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { useWords } from '../../words/words.ts';
import { ACTIVITY } from '../records/audit-words.ts';
import { isDeleted, nameOfUser } from '../records/people.ts';
import { useKnownName, useNoteOpened } from '../records/recent.ts';
import { userDetail, userRequests } from '../records/record-queries.ts';
import { BlockDialog, UnblockDialog } from './block-dialogs.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useExport } from './export-user.ts';
import { HelpMailError, useHelpMail } from './help-mail.tsx';
import { MethodsCard } from './methods-card.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { GiveRoleDialog, TakeRoleDialog } from './role-dialogs.tsx';
import { EndAllDialog, RemoveFactorsDialog } from './session-dialogs.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { ProjectsCard, RequestsCard, TeamsCard } from './user-cards.tsx';
import { UserBadges, UserLine } from './user-head.tsx';
import { USER_HELP } from './user-help-words.ts';
import { type DialogName, type Dialogs, UserMenu } from './user-menu.tsx';
import { UserNotices } from './user-notices.tsx';
import { userActivity, userMails, userNotes, userSessions } from './user-queries.ts';
import { DevicesCard, NotesCard } from './user-side-cards.tsx';
import { UserStrip } from './user-strip.tsx';
import { USERS } from './user-words.ts';

type PartProps = { user: AdminUserDetail; isOwn: boolean; dialogs: Dialogs };

const AllDialogs = ({ user, dialogs }: { user: AdminUserDetail; dialogs: Dialogs }) => {
  const { data: sessions } = useQuery(userSessions(user.id));
  const { dialog } = dialogs;
  const { isOpen: isBlocking, onClose } = dialog('block');
  return (
    <>
      {isBlocking && (
        <BlockDialog
          user={user}
          devices={sessions?.data.length ?? 0}
          onClose={onClose}
          onTakeRole={dialogs.open('take')}
        />
      )}
      <UnblockDialog user={user} {...dialog('unblock')} />
      <GiveRoleDialog user={user} {...dialog('give')} />
      <TakeRoleDialog user={user} {...dialog('take')} />
      <DeleteDialog user={user} {...dialog('delete')} onTakeRole={dialogs.open('take')} />
      <EndAllDialog user={user} {...dialog('end-all')} />
      <RemoveFactorsDialog user={user} {...dialog('remove-factors')} />
      <NoteDialog user={user} {...dialog('note')} />
    </>
  );
};

const Cards = ({ user, isOwn, dialogs }: PartProps) => (
  <div className="columns">
    <div className="stack">
      <MethodsCard user={user} isOwn={isOwn} onRemove={dialogs.open('remove-factors')} />
      <DevicesCard user={user} onEndAll={dialogs.open('end-all')} />
      <ProjectsCard user={user} />
      <TeamsCard user={user} />
      <RequestsCard userId={user.id} />
    </div>
    <div className="stack">
      <NotesCard user={user} onAdd={dialogs.open('note')} />
      <TimelineCard userId={user.id} isKept />
    </div>
  </div>
);

const Remains = ({ user }: { user: AdminUserDetail }) => (
  <div className="columns">
    <ProjectsCard user={user} />
    <TimelineCard userId={user.id} isKept={false} />
  </div>
);

/** The same page before and after the deletion of the account, so that its status line stays. */
const KnownUser = ({ user }: { user: AdminUserDetail }) => {
  const words = useWords(USERS);
  const dialogs = useDialogs<DialogName>();
  const isGone = isDeleted(user);
  const isOwn = useSignedIn().user.id === user.id;
  const help = useWords(USER_HELP);
  const reset = useHelpMail({ user, mail: 'reset' });
  const data = useExport(user);
  const addNote = dialogs.open('note');
  usePageKeys({ n: isGone ? undefined : addNote });
  return (
    <Page
      title={isGone ? nameOfUser(user) : words.user}
      heading={nameOfUser(user)}
      breadcrumbs={[[words.users, '/users']]}
      mark={<Avatar name={nameOfUser(user)} size={48} />}
      aside={<UserBadges user={user} isOwn={isOwn} />}
      line={<UserLine user={user} />}
      actions={
        !isGone && (
          <>
            <Button onClick={addNote}>
              {help.addNote} <kbd className="shortcut">N</kbd>
            </Button>
            <UserMenu
              user={user}
              isOwn={isOwn}
              dialogs={dialogs}
              sendReset={() => reset.mutate()}
              exportData={() => data.mutate()}
            />
          </>
        )
      }
    >
      <div className="stack">
        <HelpMailError error={reset.error} />
        <ErrorNotice error={data.error} />
        {isGone ? (
          <Notice>{words.deletedNotice}</Notice>
        ) : (
          <UserNotices user={user} isOwn={isOwn} onUnblock={dialogs.open('unblock')} />
        )}
        {!isGone && <UserStrip user={user} />}
        {isGone ? <Remains user={user} /> : <Cards user={user} isOwn={isOwn} dialogs={dialogs} />}
      </div>
      {!isGone && <AllDialogs user={user} dialogs={dialogs} />}
    </Page>
  );
};

/** Everything about one person. Its requests start together. */
export const UserPage = () => {
  const words = useWords(USERS);
  const { activity } = useWords(ACTIVITY);
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(userDetail(id));
  const known = useKnownName('users', id, nameOfUser);
  const parts = [useQuery(userSessions(id)), useQuery(userNotes(id))];
  useInfiniteQuery(userActivity(id, 'all'));
  useInfiniteQuery(userMails(id));
  useQuery(userRequests(id));
  const { data: user, refetch } = query;
  useNoteOpened(
    user && !isDeleted(user)
      ? {
          href: `/users/${id}`,
          kind: 'person',
          name: nameOfUser(user),
          detail: user.name === null ? undefined : user.email,
        }
      : undefined,
  );
  // A colleague deleted the account while its page was open.
  const isOutdated =
    user && !isDeleted(user) && parts.some((part) => isPlatformError(part.error, 'USER_NOT_FOUND'));
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  if (!user)
    return (
      <UnavailablePage
        query={query}
        title={words.user}
        known={known}
        mark={known && <Avatar name={known} size={48} />}
        shape={
          <PageSkeleton
            strip={[words.lastSignIn, words.methods, words.devices, words.projects]}
            columns={[
              [words.methods, words.devices, words.projects],
              [words.notes, activity],
            ]}
          />
        }
        list={[words.users, '/users']}
        missingCode="USER_NOT_FOUND"
        words={words}
        action={<Link href="/users">{words.toList}</Link>}
      />
    );
  return (
    <>
      <QueryError query={query} />
      <KnownUser user={user} key={id} />
    </>
  );
};

import type { ComponentType } from 'react';
import { Redirect, useParams } from 'wouter';
import type { EntryGroup } from '../components/frame/side-bar-frame.tsx';
import {
  ColleaguesIcon,
  FolderIcon,
  LogIcon,
  OverviewIcon,
  RequestIcon,
  SendIcon,
  UsersIcon,
  VerifiedIcon,
} from '../components/icons.tsx';
import type { Places } from '../components/keys/shortcuts.ts';
import { lazyComponent } from '../components/lazy-component.ts';
import type { Waiting } from './statistics.ts';
import type { CONSOLE } from './words.ts';

type Words = (typeof CONSOLE)['en'];

/** Release 1.0 had the invitations at an address of their own, which bookmarks may have. */
const ToColleagues = () => <Redirect to="/colleagues" replace />;

/** Leads from the address of a request to the inbox, which shows the list beside it. */
const ToRequest = () => {
  const { id } = useParams();
  return <Redirect to={`/contact-requests?request=${id}`} replace />;
};

/** The screens of an ADMIN; the first path that matches counts. */
export const ADMIN_SCREENS: readonly (readonly [path: string, ComponentType])[] = [
  ['/', lazyComponent(() => import('./overview/overview.tsx'), 'Overview')],
  ['/users', lazyComponent(() => import('./users/user-list.tsx'), 'UserList')],
  ['/users/:id', lazyComponent(() => import('./users/user-page.tsx'), 'UserPage')],
  ['/projects', lazyComponent(() => import('./projects/project-list.tsx'), 'ProjectList')],
  ['/projects/deleted', lazyComponent(() => import('./projects/deleted-projects.tsx'), 'DeletedProjects')],
  ['/projects/:id/edit', lazyComponent(() => import('./projects/edit-project.tsx'), 'EditProject')],
  ['/projects/:id', lazyComponent(() => import('./projects/project-page.tsx'), 'ProjectPage')],
  ['/teams', lazyComponent(() => import('./teams/team-list.tsx'), 'TeamList')],
  ['/teams/:id', lazyComponent(() => import('./teams/team-page.tsx'), 'TeamPage')],
  ['/audit-log', lazyComponent(() => import('./audit-log/audit-log.tsx'), 'AuditLog')],
  ['/contact-requests', lazyComponent(() => import('./contact-requests/request-inbox.tsx'), 'RequestInbox')],
  ['/contact-requests/:id', ToRequest],
  ['/colleagues', lazyComponent(() => import('./colleagues/colleagues.tsx'), 'Colleagues')],
  ['/invitations', ToColleagues],
  ['/mails', lazyComponent(() => import('./mails/mail-list.tsx'), 'MailList')],
];

/** The side bar of an ADMIN. */
export const listAdminGroups = ({ screens, groups }: Words, waiting: Waiting | undefined): EntryGroup[] => [
  {
    label: groups.work,
    entries: [
      { href: '/', label: screens.overview, icon: <OverviewIcon /> },
      {
        href: '/contact-requests',
        label: screens.requests,
        icon: <RequestIcon />,
        waiting: waiting?.contactRequests.count,
      },
      { href: '/teams', label: screens.teams, icon: <VerifiedIcon />, waiting: waiting?.teams.count },
    ],
  },
  {
    label: groups.directory,
    entries: [
      { href: '/users', label: screens.people, icon: <UsersIcon /> },
      { href: '/projects', label: screens.projects, icon: <FolderIcon /> },
      { href: '/colleagues', label: screens.colleagues, icon: <ColleaguesIcon /> },
    ],
  },
  {
    label: groups.system,
    entries: [
      { href: '/audit-log', label: screens.log, icon: <LogIcon /> },
      { href: '/mails', label: screens.mails, icon: <SendIcon />, waiting: waiting?.failedMails.count },
    ],
  },
];

/** The screens that `g` and a letter open. */
export const listAdminPlaces = ({ screens }: Words): Places => ({
  o: { href: '/', label: screens.overview },
  r: { href: '/contact-requests', label: screens.requests },
  t: { href: '/teams', label: screens.teams },
  u: { href: '/users', label: screens.people },
  p: { href: '/projects', label: screens.projects },
  c: { href: '/colleagues', label: screens.colleagues },
  l: { href: '/audit-log', label: screens.log },
  m: { href: '/mails', label: screens.mails },
});

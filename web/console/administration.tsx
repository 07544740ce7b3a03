import { type ComponentType, lazy } from 'react';
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
import type { Waiting } from './statistics.ts';
import type { CONSOLE } from './words.ts';

type Words = (typeof CONSOLE)['en'];

/** A screen, which is loaded when it is opened. */
const lazyScreen = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

/** Release 1.0 had the invitations at an address of their own, which bookmarks may have. */
const ToColleagues = () => <Redirect to="/colleagues" replace />;

/** Leads from the address of a request to the inbox, which shows the list beside it. */
const ToRequest = () => {
  const { id } = useParams();
  return <Redirect to={`/contact-requests?request=${id}`} replace />;
};

/** The screens of an ADMIN; the first path that matches counts. */
export const ADMIN_SCREENS: readonly (readonly [path: string, ComponentType])[] = [
  ['/', lazyScreen(() => import('./overview/overview.tsx'), 'Overview')],
  ['/users', lazyScreen(() => import('./users/user-list.tsx'), 'UserList')],
  ['/users/:id', lazyScreen(() => import('./users/user-page.tsx'), 'UserPage')],
  ['/projects', lazyScreen(() => import('./projects/project-list.tsx'), 'ProjectList')],
  ['/projects/deleted', lazyScreen(() => import('./projects/deleted-projects.tsx'), 'DeletedProjects')],
  ['/projects/:id/edit', lazyScreen(() => import('./projects/edit-project.tsx'), 'EditProject')],
  ['/projects/:id', lazyScreen(() => import('./projects/project-page.tsx'), 'ProjectPage')],
  ['/teams', lazyScreen(() => import('./teams/team-list.tsx'), 'TeamList')],
  ['/teams/:id', lazyScreen(() => import('./teams/team-page.tsx'), 'TeamPage')],
  ['/audit-log', lazyScreen(() => import('./audit-log/audit-log.tsx'), 'AuditLog')],
  ['/contact-requests', lazyScreen(() => import('./contact-requests/request-inbox.tsx'), 'RequestInbox')],
  ['/contact-requests/:id', ToRequest],
  ['/colleagues', lazyScreen(() => import('./colleagues/colleagues.tsx'), 'Colleagues')],
  ['/invitations', ToColleagues],
  ['/mails', lazyScreen(() => import('./mails/mail-list.tsx'), 'MailList')],
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

import { type ComponentType, lazy } from 'react';
import {
  FolderIcon,
  InboxIcon,
  InvitationIcon,
  LogIcon,
  MailIcon,
  SendIcon,
  TeamIcon,
  UsersIcon,
} from '../components/icons.tsx';
import type { Places } from '../components/shortcuts.tsx';
import type { Entry } from '../components/side-bar-frame.tsx';
import type { CONSOLE } from './words.ts';

type Words = (typeof CONSOLE)['en'];

// Each screen is loaded when it is opened.
const Overview = lazy(async () => ({ default: (await import('./overview/overview.tsx')).Overview }));
const UserList = lazy(async () => ({ default: (await import('./users/user-list.tsx')).UserList }));
const UserPage = lazy(async () => ({ default: (await import('./users/user-page.tsx')).UserPage }));
const ProjectList = lazy(async () => ({
  default: (await import('./projects/project-list.tsx')).ProjectList,
}));
const DeletedProjects = lazy(async () => ({
  default: (await import('./projects/deleted-projects.tsx')).DeletedProjects,
}));
const EditProject = lazy(async () => ({
  default: (await import('./projects/edit-project.tsx')).EditProject,
}));
const ProjectPage = lazy(async () => ({
  default: (await import('./projects/project-page.tsx')).ProjectPage,
}));
const TeamList = lazy(async () => ({ default: (await import('./teams/team-list.tsx')).TeamList }));
const TeamPage = lazy(async () => ({ default: (await import('./teams/team-page.tsx')).TeamPage }));
const AuditLog = lazy(async () => ({ default: (await import('./audit-log/audit-log.tsx')).AuditLog }));
const ContactList = lazy(async () => ({
  default: (await import('./contact-requests/contact-list.tsx')).ContactList,
}));
const Invitations = lazy(async () => ({
  default: (await import('./invitations/invitations.tsx')).Invitations,
}));
const MailList = lazy(async () => ({ default: (await import('./mails/mail-list.tsx')).MailList }));

/** The screens of an ADMIN; the first path that matches counts. */
export const ADMIN_SCREENS: readonly (readonly [path: string, ComponentType])[] = [
  ['/', Overview],
  ['/users', UserList],
  ['/users/:id', UserPage],
  ['/projects', ProjectList],
  ['/projects/deleted', DeletedProjects],
  ['/projects/:id/edit', EditProject],
  ['/projects/:id', ProjectPage],
  ['/teams', TeamList],
  ['/teams/:id', TeamPage],
  ['/audit-log', AuditLog],
  ['/contact-requests', ContactList],
  ['/invitations', Invitations],
  ['/mails', MailList],
];

/** The side bar of an ADMIN. */
export const listAdminEntries = ({ screens }: Words): Entry[] => [
  { href: '/', label: screens.overview, icon: <InboxIcon /> },
  { href: '/users', label: screens.users, icon: <UsersIcon /> },
  { href: '/projects', label: screens.projects, icon: <FolderIcon /> },
  { href: '/teams', label: screens.teams, icon: <TeamIcon /> },
  { href: '/audit-log', label: screens.log, icon: <LogIcon /> },
  { href: '/contact-requests', label: screens.forms, icon: <MailIcon /> },
  { href: '/invitations', label: screens.invitations, icon: <InvitationIcon /> },
  { href: '/mails', label: screens.mails, icon: <SendIcon /> },
];

/** The screens that `g` and a letter open. */
export const listAdminPlaces = ({ screens }: Words): Places => ({
  o: { href: '/', label: screens.overview },
  u: { href: '/users', label: screens.users },
  p: { href: '/projects', label: screens.projects },
  t: { href: '/teams', label: screens.teams },
  l: { href: '/audit-log', label: screens.log },
  c: { href: '/contact-requests', label: screens.forms },
  i: { href: '/invitations', label: screens.invitations },
  m: { href: '/mails', label: screens.mails },
});

import type { AuditRecord } from '@platform/client';
import type { ReactNode } from 'react';
import { AlertIcon, icon, MailIcon } from '../../components/form-icons.tsx';
import { BlockIcon, FolderIcon, LogIcon, RequestIcon, UsersIcon } from '../../components/icons.tsx';
import { formatExactly } from '../../words/formats.ts';

const SignInIcon = /* @__PURE__ */ icon('M10 17l5-5-5-5M15 12H3M15 3h4a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-4');

type Look = 'plain' | 'warn' | 'bad';
type Sign = readonly [icon: ReactNode, look: Look];

export const signOfMail = (state: string): Sign => [
  <MailIcon key="icon" />,
  state === 'failed' ? 'bad' : 'plain',
];

const ACTIONS: Readonly<Record<string, Sign>> = {
  SIGNED_IN: [<SignInIcon key="icon" />, 'plain'],
  SIGN_IN_FAILED: [<AlertIcon key="icon" />, 'warn'],
  PAUSED: [<AlertIcon key="icon" />, 'warn'],
  USER_BLOCKED: [<BlockIcon key="icon" />, 'bad'],
};

const TARGETS: Readonly<Record<string, ReactNode>> = {
  PROJECT: <FolderIcon />,
  TEAM: <UsersIcon />,
  CONTACT_REQUEST: <RequestIcon />,
  MAIL: <MailIcon />,
};

export const signOfRecord = ({ action, targetType }: AuditRecord): Sign =>
  ACTIONS[action] ?? [TARGETS[targetType ?? ''] ?? <LogIcon />, 'plain'];

type MomentProps = { sign: Sign; at: string; time: string; children: ReactNode };

/** One entry of a timeline, with the time of the day at its right. */
export const Moment = ({ sign: [shown, look], at, time, children }: MomentProps) => (
  <li className="user-moment">
    <span className={look === 'plain' ? 'user-disc' : `user-disc user-disc-${look}`}>{shown}</span>
    <div className="user-moment-text">{children}</div>
    <time dateTime={at} title={formatExactly(new Date(at))}>
      {time}
    </time>
  </li>
);

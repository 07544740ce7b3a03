import type { AdminUserDetail } from '@platform/client';
import { Link } from 'wouter';
import { Card } from '../../components/card.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { USERS } from './user-words.ts';

/** A line with a fact at the right. */
const LinkRow = ({ href, text, fact }: { href: string; text: string; fact: string }) => (
  <div className="card-row">
    <Link href={href}>{text}</Link>
    <span className="muted small">{fact}</span>
  </div>
);

export const TeamsCard = ({ user }: { user: AdminUserDetail }) => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  if (user.teams.length === 0) return null;
  return (
    <Card title={words.teams}>
      {user.teams.map(({ id, name, role, status }) => (
        <LinkRow
          key={id}
          href={`/teams/${id}`}
          text={name}
          fact={[
            nameOf(names.memberRole, role),
            ...(status === 'ACTIVE' ? [] : [nameOf(names.memberStatus, status)]),
          ].join(' · ')}
        />
      ))}
    </Card>
  );
};

export const ProjectsCard = ({ user }: { user: AdminUserDetail }) => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  if (user.projects.length === 0) return null;
  return (
    <Card title={words.projects}>
      {user.projects.map(({ id, title, status }) => (
        <LinkRow key={id} href={`/projects/${id}`} text={title} fact={nameOf(names.projectStatus, status)} />
      ))}
    </Card>
  );
};

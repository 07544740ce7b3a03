import type { AdminUserDetail } from '@platform/client';
import { Link } from 'wouter';
import { Card, CardBody, Facts } from '../../components/card.tsx';
import { Id } from '../../components/copy-button.tsx';
import { Time } from '../../components/time.tsx';
import { toFullName } from '../../words/full-name.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { USERS } from './user-words.ts';

type Profile = NonNullable<AdminUserDetail['profile']['customer']>;
/** A field of the contract without a word below does not compile. */
type ProfileFact = Exclude<
  keyof Profile,
  'id' | 'userId' | 'firstName' | 'lastName' | 'createdAt' | 'updatedAt'
>;

/** A profile that differs from the name of the page, such as that of the employee. */
const listOtherName = (label: string, profile: Profile | null, name: string | null): [string, string][] => {
  const ownName = toFullName(profile);
  return ownName !== undefined && ownName !== name ? [[label, ownName]] : [];
};

export const ProfileCard = ({ user }: { user: AdminUserDetail }) => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  const { customer, employee } = user.profile;
  const labels: Record<ProfileFact, string> = { phone: words.phone };
  const profileFacts = Object.entries(labels).flatMap(([name, label]) => {
    const values = [customer, employee].map((profile) => profile?.[name as ProfileFact]);
    const text = [...new Set(values.filter(Boolean))].join(', ');
    return text === '' ? [] : [[label, text] as const];
  });
  return (
    <Card title={words.profile}>
      <CardBody>
        <Facts
          facts={[
            [words.email, user.email],
            ...listOtherName(words.asCustomer, customer, user.name),
            ...listOtherName(words.asEmployee, employee, user.name),
            ...profileFacts,
            [words.language, nameOf(names.languages, user.language)],
            [words.signedUp, <Time key="at" at={user.createdAt} isFull />],
            [words.lastSignIn, <Time key="at" at={user.lastSignInAt} isFull />],
            [words.id, <Id key="id" id={user.id} />],
          ]}
        />
      </CardBody>
    </Card>
  );
};

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

import type { AdminUserDetail } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Card, CardRow } from '../../components/card.tsx';
import { State, type StateLook } from '../../components/state.tsx';
import { QueryErrorRow } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { userRequests } from '../records/record-queries.ts';
import { RequestState, RequestSubject } from '../records/request-state.tsx';
import { lookOfProject } from '../state-looks.ts';
import { USER_HELP } from './user-help-words.ts';
import { USERS } from './user-words.ts';

/** The contact requests with the person's address, which anybody can enter; each links to the inbox. */
export const RequestsCard = ({ userId }: { userId: string }) => {
  const words = useWords(USER_HELP);
  const query = useQuery(userRequests(userId));
  if (query.data?.data.length === 0 || (!query.data && !query.error)) return null;
  return (
    <Card title={words.withAddress} count={query.data && formatNumber(query.data.total)}>
      <QueryErrorRow query={query} />
      {query.data?.data.map((request) => (
        <CardRow key={request.id} button={<RequestState request={request} />}>
          <Link className="text-name" href={`/contact-requests?request=${request.id}`}>
            <RequestSubject request={request} />
          </Link>
          <div className="muted small">
            <Time at={request.createdAt} />
          </div>
        </CardRow>
      ))}
    </Card>
  );
};

type CardProps = { user: AdminUserDetail };

const MEMBER_LOOKS: Readonly<Record<string, StateLook>> = { ACTIVE: 'ok', INVITED: 'warn' };

export const TeamsCard = ({ user: { teams } }: CardProps) => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  if (teams.length === 0) return null;
  return (
    <Card title={words.teams} count={formatNumber(teams.length)}>
      {teams.map(({ id, name, role, status }) => (
        <CardRow
          key={id}
          button={<State look={MEMBER_LOOKS[status] ?? 'off'}>{nameOf(names.memberStatus, status)}</State>}
        >
          <div className="avatar-line">
            <Avatar name={name} isTeam />
            <div className="avatar-line-text">
              <Link className="text-name" href={`/teams/${id}`}>
                <bdi>{name}</bdi>
              </Link>
              <div className="muted small">{nameOf(names.memberRole, role)}</div>
            </div>
          </div>
        </CardRow>
      ))}
    </Card>
  );
};

export const ProjectsCard = ({ user: { projects } }: CardProps) => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  if (projects.length === 0) return null;
  return (
    <Card title={words.projects} count={formatNumber(projects.length)}>
      {projects.map(({ id, title, status, createdAt }) => (
        <CardRow
          key={id}
          button={<State look={lookOfProject(status)}>{nameOf(names.projectStatus, status)}</State>}
        >
          <Link className="text-name" href={`/projects/${id}`}>
            <bdi>{title}</bdi>
          </Link>
          <div className="muted small">
            <Time at={createdAt} />
          </div>
        </CardRow>
      ))}
    </Card>
  );
};

import { Fragment } from 'react';
import { Link } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Card, EmptyRow } from '../../components/card.tsx';
import { Pill, State } from '../../components/state.tsx';
import { QueryErrorRow, type QueryState } from '../../components/states.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { type Member, nameOfMember } from './members.ts';
import { TEAMS } from './team-words.ts';

const OtherTeams = ({ teams }: { teams: readonly { id: string; name: string }[] }) => {
  const words = useWords(TEAMS);
  if (teams.length === 0) return null;
  return (
    <span>
      {words.alsoIn}{' '}
      {teams.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link href={`/teams/${id}`}>{name}</Link>
        </Fragment>
      ))}
    </span>
  );
};

type MemberCardProps = { entry: Member; teamId: string };

/** A member with enough facts to judge the person without opening another page. */
const MemberCard = ({ entry: { member, card }, teamId }: MemberCardProps) => {
  const words = useWords(TEAMS);
  const names = useWords(NAMES);
  const name = card ? nameOfMember(card) : names.deletedUser;
  const isActive = member.status === 'ACTIVE';
  return (
    <li className="member">
      <Avatar name={name} size={32} />
      <div className="member-text">
        <div className="row">
          {card ? (
            <Link className="text-name" href={`/users/${card.userId}`}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            name
          )}
          <Pill>{nameOf(names.memberRole, member.role)}</Pill>
        </div>
        {card && (
          <>
            <div className="muted">{card.email}</div>
            <div className="muted">{card.phone ?? words.noPhone}</div>
          </>
        )}
        <div className="member-tags">
          <State look={isActive ? 'ok' : 'warn'}>{nameOf(names.memberStatus, member.status)}</State>
          {card?.isBlocked && <State look="bad">{words.blocked}</State>}
          {card && !card.isEmailVerified && <State look="warn">{words.notVerifiedAddress}</State>}
          {member.canSign && <span>{words.canSign}</span>}
          {member.canSubmit && <span>{words.canSubmit}</span>}
          <OtherTeams teams={card?.teams.filter(({ id }) => id !== teamId) ?? []} />
        </div>
      </div>
    </li>
  );
};

type MembersCardProps = {
  members: readonly Member[];
  query: QueryState & { isPending: boolean };
  teamId: string;
};

export const MembersCard = ({ members, query, teamId }: MembersCardProps) => {
  const words = useWords(TEAMS);
  const isLoaded = !query.isPending && query.error == null;
  return (
    <Card
      title={
        <>
          {words.members} <span className="muted number">{formatNumber(members.length)}</span>
        </>
      }
    >
      <QueryErrorRow query={query} />
      {members.length === 0 && <EmptyRow>{words.noMembers}</EmptyRow>}
      {isLoaded && members.length > 0 && (
        <ul className="member-list">
          {members.map((entry) => (
            <MemberCard key={entry.member.employeeId} entry={entry} teamId={teamId} />
          ))}
        </ul>
      )}
    </Card>
  );
};

import './check.css';
import './member.css';
import './queue-bar.css';
import { isPlatformError, type TeamDetail } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Card, CardBody } from '../../components/card.tsx';
import { CopyId } from '../../components/copy-button.tsx';
import { useDialogs } from '../../components/forms/action-dialog.tsx';
import { Page } from '../../components/frame/page.tsx';
import { UnavailablePage } from '../../components/frame/unavailable-page.tsx';
import { PageSkeleton, QueryError } from '../../components/states.tsx';
import { formatSpan } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { ACTIVITY } from '../records/audit-words.ts';
import { useKnownName, useNoteOpened } from '../records/recent.ts';
import { TargetActivity } from '../records/target-activity.tsx';
import { ChecksCard } from './checks-card.tsx';
import { FactsStrip } from './facts-strip.tsx';
import { MembersCard } from './member-cards.tsx';
import { joinMembers } from './members.ts';
import { QueueBar } from './queue-bar.tsx';
import { TeamStatus } from './team-list.tsx';
import { memberCards, teamDetail } from './team-queries.ts';
import { TEAMS } from './team-words.ts';
import { VerifyDialog } from './verify-dialog.tsx';

const TextCard = ({ title, text }: { title: string; text: string | null }) => {
  const words = useWords(TEAMS);
  return (
    <Card title={title}>
      <CardBody>
        {text ? <div className="text-lines">{text}</div> : <span className="muted">{words.notFilledIn}</span>}
      </CardBody>
    </Card>
  );
};

/** The line below the name: how long the team waits, its slug and its id. */
const HeadLine = ({ team, isWaiting }: { team: TeamDetail; isWaiting: boolean }) => {
  const words = useWords(TEAMS);
  return (
    <div className="thing-line">
      {isWaiting && <span className="text-warn">{words.waitsFor(formatSpan(new Date(team.createdAt)))}</span>}
      <span>{team.slug}</span>
      <CopyId id={team.id} label={words.id} />
    </div>
  );
};

const useMembers = (team: TeamDetail) => {
  const ids = team.members.filter(({ status }) => status !== 'REMOVED').map(({ employeeId }) => employeeId);
  const query = useQuery(memberCards(ids));
  const areKnown = ids.length === 0 || query.data !== undefined;
  return { query, areKnown, members: joinMembers(team.members, query.data?.data ?? []) };
};

const Found = ({ team }: { team: TeamDetail }) => {
  const words = useWords(TEAMS);
  const dialogs = useDialogs<'verify'>();
  const { query, areKnown, members } = useMembers(team);
  const isWaiting = team.status === 'ONBOARDING';
  return (
    <>
      {isWaiting && <QueueBar teamId={team.id} onVerify={dialogs.open('verify')} />}
      <Page
        title={words.team}
        heading={team.name}
        breadcrumbs={[[words.teams, '/teams']]}
        mark={<Avatar name={team.name} size={48} isTeam />}
        aside={<TeamStatus status={team.status} />}
        line={<HeadLine team={team} isWaiting={isWaiting} />}
      >
        <div className="stack">
          <FactsStrip team={team} members={members} areKnown={areKnown} />
          <div className="columns">
            <div className="stack">
              <MembersCard members={members} query={query} teamId={team.id} />
              <TextCard title={words.bio} text={team.bio} />
              <TextCard title={words.experience} text={team.externalExperience} />
            </div>
            <div className="stack">
              {isWaiting && areKnown && <ChecksCard team={team} members={members} />}
              <TargetActivity targetId={team.id} />
            </div>
          </div>
        </div>
        <VerifyDialog
          team={team}
          members={areKnown ? members : undefined}
          query={query}
          {...dialogs.dialog('verify')}
        />
      </Page>
    </>
  );
};

export const TeamPage = () => {
  const words = useWords(TEAMS);
  const { activity } = useWords(ACTIVITY);
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(teamDetail(id));
  const { data, error } = query;
  const known = useKnownName('teams', id, ({ name }: { name: string }) => name);
  useNoteOpened(data && { href: `/teams/${id}`, kind: 'team', name: data.name });
  if (data && !isPlatformError(error, 'TEAM_NOT_FOUND'))
    return (
      <>
        <QueryError query={query} />
        <Found team={data} key={id} />
      </>
    );
  return (
    <UnavailablePage
      query={query}
      title={words.team}
      known={known}
      shape={
        <PageSkeleton
          strip={[words.administrator, words.members, words.created, words.verified]}
          columns={[[words.members, words.bio, words.experience], [activity]]}
        />
      }
      list={[words.teams, '/teams']}
      missingCode="TEAM_NOT_FOUND"
      words={words}
      action={<Link href="/teams">{words.toList}</Link>}
    />
  );
};

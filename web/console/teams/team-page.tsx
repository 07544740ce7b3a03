import { isPlatformError, type TeamDetail } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { ActionDialog, useDialogs } from '../../components/action-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Card, CardBody, CardRow, Facts } from '../../components/card.tsx';
import { Id } from '../../components/copy-button.tsx';
import { Page } from '../../components/page.tsx';
import { State } from '../../components/state.tsx';
import { QueryError, QueryErrorRow } from '../../components/states.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { UnavailablePage } from '../../components/unavailable-page.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { TargetActivity } from '../audit-log/target-activity.tsx';
import { backOffice } from '../back-office.ts';
import { NAMES, nameOf } from '../names.ts';
import { joinMembers, type Member, nameOfMember } from './members.ts';
import { TeamStatus } from './team-list.tsx';
import { memberCards, TEAM_CHANGE, teamDetail } from './team-queries.ts';
import { TEAMS } from './team-words.ts';

const FactsCard = ({ team }: { team: TeamDetail }) => {
  const words = useWords(TEAMS);
  return (
    <Card title={words.facts}>
      <CardBody>
        <Facts
          facts={[
            [words.slug, team.slug],
            [words.created, <Time key="created" at={team.createdAt} isFull />],
            [
              words.verified,
              team.verifiedAt === null ? (
                words.notVerified
              ) : (
                <Time key="verified" at={team.verifiedAt} isFull />
              ),
            ],
            [words.id, <Id key="id" id={team.id} />],
          ]}
        />
      </CardBody>
    </Card>
  );
};

const TextCard = ({ title, text }: { title: string; text: string | null }) =>
  text ? (
    <Card title={title}>
      <CardBody>
        <div className="text-lines">{text}</div>
      </CardBody>
    </Card>
  ) : null;

/** Enough to judge a person without opening another page. */
const MemberRow = ({ entry: { member, card }, teamId }: { entry: Member; teamId: string }) => {
  const words = useWords(TEAMS);
  const names = useWords(NAMES);
  const others = card?.teams.filter(({ id }) => id !== teamId).map(({ name }) => name) ?? [];
  const facts = [
    nameOf(names.memberRole, member.role),
    ...(member.status === 'ACTIVE' ? [] : [nameOf(names.memberStatus, member.status)]),
    ...(member.canSign ? [words.canSign] : []),
    ...(member.canSubmit ? [words.canSubmit] : []),
    ...(others.length > 0 ? [words.otherTeams(others.join(', '))] : []),
  ];
  return (
    <CardRow>
      {card ? <Link href={`/users/${card.userId}`}>{nameOfMember(card)}</Link> : words.unknownMember}{' '}
      {card?.isBlocked && <State look="bad">{words.blocked}</State>}
      {card && <div className="muted small">{[card.email, card.phone].filter(Boolean).join(' · ')}</div>}
      <div className="muted small">{facts.join(' · ')}</div>
    </CardRow>
  );
};

const useMembers = (team: TeamDetail) => {
  const ids = team.members.filter(({ status }) => status !== 'REMOVED').map(({ employeeId }) => employeeId);
  const query = useQuery(memberCards(ids));
  return { query, members: joinMembers(team.members, query.data?.data ?? []) };
};

const MembersCard = ({ team }: { team: TeamDetail }) => {
  const words = useWords(TEAMS);
  const { query, members } = useMembers(team);
  const { error, isPending } = query;
  return (
    <Card title={words.members}>
      <QueryErrorRow query={query} />
      {members.length === 0 && (
        <CardRow>
          <span className="muted">{words.noMembers}</span>
        </CardRow>
      )}
      {!(isPending && members.length > 0) &&
        !error &&
        members.map((entry) => <MemberRow key={entry.member.employeeId} entry={entry} teamId={team.id} />)}
    </Card>
  );
};

const VerifyDialog = ({
  team,
  isOpen,
  onClose,
}: {
  team: TeamDetail;
  isOpen: boolean;
  onClose: () => void;
}) => {
  const words = useWords(TEAMS);
  const say = useSayStatus();
  const { members } = useMembers(team);
  const verify = useMutation({
    mutationFn: () =>
      backOffice.POST('/administrator/teams/{teamId}/verify', { params: { path: { teamId: team.id } } }),
    meta: TEAM_CHANGE,
    onSuccess: () => say(words.isVerified(team.name)),
  });
  const active = members.filter(({ member }) => member.status === 'ACTIVE').length;
  const blocked = members.flatMap(({ card }) => (card?.isBlocked ? [nameOfMember(card)] : []));
  return (
    <ActionDialog
      title={words.verifyQuestion(team.name)}
      isOpen={isOpen}
      onClose={onClose}
      look="main"
      submit={words.verifyTeam}
      submitting={words.verifying}
      mutation={verify}
    >
      <p>{words.verifyText(team.name, formatNumber(active), active)}</p>
      {blocked.length > 0 && <p className="strong">{words.blockedMembers(blocked.join(', '))}</p>}
    </ActionDialog>
  );
};

const Found = ({ team }: { team: TeamDetail }) => {
  const words = useWords(TEAMS);
  const dialogs = useDialogs<'verify'>();
  const isWaiting = team.status === 'ONBOARDING';
  return (
    <Page
      title={words.team}
      heading={team.name}
      breadcrumbs={[[words.teams, '/teams']]}
      aside={<TeamStatus status={team.status} />}
      actions={
        isWaiting && (
          <Button look="main" onClick={dialogs.open('verify')}>
            {words.verify}
          </Button>
        )
      }
    >
      <div className="columns">
        <div className="stack">
          <MembersCard team={team} />
          <TextCard title={words.bio} text={team.bio} />
          <TextCard title={words.experience} text={team.externalExperience} />
          <FactsCard team={team} />
        </div>
        <TargetActivity targetId={team.id} words={words} />
      </div>
      <VerifyDialog team={team} {...dialogs.dialog('verify')} />
    </Page>
  );
};

export const TeamPage = () => {
  const words = useWords(TEAMS);
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(teamDetail(id));
  const { data, error } = query;
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
      list={[words.teams, '/teams']}
      missingCode="TEAM_NOT_FOUND"
      words={words}
      action={<Link href="/teams">{words.toList}</Link>}
    />
  );
};

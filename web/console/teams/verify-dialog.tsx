import type { TeamDetail } from '@platform/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CancelButton, Dialog } from '../../components/dialogs/dialog.tsx';
import { ActionDialog, type DialogState, WriteDialog } from '../../components/forms/action-dialog.tsx';
import { QueryError, type QueryState, Skeleton } from '../../components/states.tsx';
import { formatNumber, formatTime } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { listChecks } from './checks.ts';
import { CheckText } from './checks-card.tsx';
import { useVerifier } from './facts-strip.tsx';
import type { Member } from './members.ts';
import { TEAM_CHANGE, verificationQueue } from './team-queries.ts';
import { findNext } from './team-queue.ts';
import { TEAMS } from './team-words.ts';

type TeamProps = DialogState & { team: TeamDetail };

type VerifyDialogProps = TeamProps & {
  /** Undefined until they are loaded: the checks need them. */
  members: readonly Member[] | undefined;
  query: QueryState;
};

const NOBODY_WAITS = { teams: [], total: 0 };

/** Leads from a team to one that waits, or to the list after the last one. */
const useQueue = (teamId: string) => {
  const [, navigate] = useLocation();
  const { data: queue = NOBODY_WAITS } = useQuery(verificationQueue());
  return {
    findNextAmong: (now = queue) => findNext(queue, now, teamId),
    goTo: (next: { id: string } | undefined) => {
      // Replaces the dialog's history entry, so that Back does not lead to a dialog that is done.
      navigate(next ? `/teams/${next.id}` : '/teams', { replace: true });
    },
  };
};

/** A colleague was faster, so there is nothing to confirm. */
const VerifiedMeanwhile = ({ team, ...dialog }: TeamProps) => {
  const words = useWords(TEAMS);
  const by = useVerifier(team);
  const { findNextAmong, goTo } = useQueue(team.id);
  const next = findNextAmong();
  return (
    <ActionDialog
      {...dialog}
      title={words.verifyQuestion(team.name)}
      instead={
        <Button look="main" onClick={() => goTo(next)}>
          {next ? words.nextTeam : words.toList}
        </Button>
      }
    >
      <p role="alert">
        {by && team.verifiedAt
          ? words.verifiedAt(by, formatTime(new Date(team.verifiedAt)))
          : words.verifiedMeanwhile}
      </p>
    </ActionDialog>
  );
};

const Question = ({ team, members, ...dialog }: TeamProps & { members: readonly Member[] }) => {
  const words = useWords(TEAMS);
  const { findNextAmong, goTo } = useQueue(team.id);
  const queries = useQueryClient();
  const verify = async () => {
    await backOffice.POST('/administrator/teams/{teamId}/verify', { params: { path: { teamId: team.id } } });
    return findNextAmong(
      await queries.fetchQuery({ ...verificationQueue(), staleTime: 0 }).catch(() => undefined),
    );
  };
  const active = members.filter(({ member }) => member.status === 'ACTIVE').length;
  const open = listChecks(team, members).filter(({ isMet }) => !isMet);
  return (
    <WriteDialog
      {...dialog}
      title={words.verifyQuestion(team.name)}
      look="main"
      isFirst
      submit={words.verifyTeam}
      submitting={words.verifying}
      act={verify}
      meta={{ ...TEAM_CHANGE, leaves: true, whether: words.whetherVerified(team.name) }}
      done={(next) => {
        goTo(next);
        return next ? words.isVerified(team.name) : words.isLastVerified(team.name);
      }}
    >
      <p>{words.verifyText(team.name, formatNumber(active), active)}</p>
      {open.length > 0 && (
        <ul className="check-list">
          {open.map((check) => (
            <CheckText key={check.name} check={check} />
          ))}
        </ul>
      )}
    </WriteDialog>
  );
};

/** Asks, verifies, and goes on to the next team, or to the list after the last one. */
export const VerifyDialog = ({ members, query, ...props }: VerifyDialogProps) => {
  const words = useWords(TEAMS);
  const { team, onClose } = props;
  if (team.status !== 'ONBOARDING') return <VerifiedMeanwhile {...props} />;
  if (members) return <Question {...props} members={members} />;
  return (
    // Its heading has the focus, so that an Enter that comes too early closes nothing.
    <Dialog {...props} title={words.verifyQuestion(team.name)} isRead>
      <QueryError query={query} />
      {query.error === null && <Skeleton />}
      <div className="dialog-foot">
        <CancelButton onClick={onClose} />
      </div>
    </Dialog>
  );
};

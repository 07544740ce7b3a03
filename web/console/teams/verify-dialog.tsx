import { isPlatformError, type TeamDetail } from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ActionDialog, type DialogState } from '../../components/action-dialog.tsx';
import { QueryError, type QueryState, Skeleton } from '../../components/states.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { listChecks } from './checks.ts';
import { CheckText } from './checks-card.tsx';
import type { Member } from './members.ts';
import { TEAM_CHANGE, verificationQueue } from './team-queries.ts';
import { findNext } from './team-queue.ts';
import { TEAMS } from './team-words.ts';

type VerifyDialogProps = DialogState & {
  team: TeamDetail;
  /** Undefined until it is known who they are: without them, nobody can say what to look at before. */
  members: readonly Member[] | undefined;
  query: QueryState;
};

/** Asks, verifies, and goes on to the next team, or to the list after the last one. */
export const VerifyDialog = ({ team, members, query, ...dialog }: VerifyDialogProps) => {
  const words = useWords(TEAMS);
  const say = useSayStatus();
  const [, navigate] = useLocation();
  const { data: queue } = useQuery(verificationQueue());
  const queries = useQueryClient();
  const verify = useMutation({
    mutationFn: async () => {
      await backOffice.POST('/administrator/teams/{teamId}/verify', {
        params: { path: { teamId: team.id } },
      });
      const now = await queries.fetchQuery({ ...verificationQueue(), staleTime: 0 }).catch(() => queue);
      const next = queue && now && findNext(queue, now, team.id);
      // In place of the dialog's entry of the history.
      navigate(next ? `/teams/${next.id}` : '/teams', { replace: true });
      return next;
    },
    meta: { ...TEAM_CHANGE, whether: words.whetherVerified(team.name) },
    onSuccess: (next) => say(next ? words.isVerified(team.name) : words.isLastVerified(team.name)),
  });
  const title = words.verifyQuestion(team.name);
  if (!members)
    return (
      <ActionDialog {...dialog} title={title}>
        <QueryError query={query} />
        {query.error === null && <Skeleton />}
      </ActionDialog>
    );
  const active = members.filter(({ member }) => member.status === 'ACTIVE').length;
  const open = listChecks(team, members).filter(({ isMet }) => !isMet);
  return (
    <ActionDialog
      {...dialog}
      title={title}
      look="main"
      submit={words.verifyTeam}
      submitting={words.verifying}
      mutation={verify}
      advice={(error) => isPlatformError(error, 'TEAM_NOT_ONBOARDING') && words.verifiedMeanwhile}
    >
      <p>{words.verifyText(team.name, formatNumber(active), active)}</p>
      {open.length > 0 && (
        <ul className="check-list">
          {open.map((check) => (
            <CheckText key={check.name} check={check} />
          ))}
        </ul>
      )}
    </ActionDialog>
  );
};

import type { TeamDetail } from '@platform/client';
import { Card } from '../../components/card.tsx';
import { AlertIcon, CheckCircleIcon } from '../../components/form-icons.tsx';
import { formatList, formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { type Check, listChecks } from './checks.ts';
import type { Member } from './members.ts';
import { TEAMS } from './team-words.ts';

/** The words say whether it is met; the icon only supports them. */
export const CheckText = ({ check: { name, isMet, people } }: { check: Check }) => {
  const words = useWords(TEAMS);
  const { met, unmet } = words.checks[name];
  return (
    <li className={isMet ? 'check-met' : 'check-unmet'}>
      {isMet ? <CheckCircleIcon /> : <AlertIcon />}
      <span>
        {isMet ? met : unmet}
        {people.length > 0 && <span className="muted small">{formatList(people)}</span>}
      </span>
    </li>
  );
};

/** Facts to look at before verifying; none of them prevents it. */
export const ChecksCard = ({ team, members }: { team: TeamDetail; members: readonly Member[] }) => {
  const words = useWords(TEAMS);
  const checks = listChecks(team, members);
  const met = checks.filter(({ isMet }) => isMet).length;
  return (
    <Card
      title={words.beforeVerifying}
      action={
        <span className="muted small">{words.metOf(formatNumber(met), formatNumber(checks.length))}</span>
      }
    >
      <ul className="check-list">
        {checks.map((check) => (
          <CheckText key={check.name} check={check} />
        ))}
      </ul>
    </Card>
  );
};

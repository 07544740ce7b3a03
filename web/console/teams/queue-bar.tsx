import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.tsx';
import { usePageKeys } from '../../components/keys/page-keys.ts';
import { formatNumber, formatSpan } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { verificationQueue } from './team-queries.ts';
import { findPlace } from './team-queue.ts';
import { TEAMS } from './team-words.ts';

/** The queue's band: the place of this team, the next one, and the two ways on. */
export const QueueBar = ({ teamId, onVerify }: { teamId: string; onVerify: () => void }) => {
  const words = useWords(TEAMS);
  const [, navigate] = useLocation();
  const { data } = useQuery(verificationQueue());
  const { place, total, next } = findPlace(data ?? { teams: [], total: 0 }, teamId);
  const skip = next && (() => navigate(`/teams/${next.id}`));
  usePageKeys({ j: skip, e: onVerify });
  return (
    <section className="queue-bar" aria-label={words.queue}>
      {data && (
        <>
          <span className="strong">
            {place === undefined
              ? words.toVerify(formatNumber(total))
              : words.placeOf(formatNumber(place), formatNumber(total))}
          </span>
          <span className="small">
            {next ? words.next(next.name, formatSpan(new Date(next.createdAt))) : words.lastOne}
          </span>
        </>
      )}
      <div className="row row-end">
        {skip && (
          <Button look="quiet" aria-keyshortcuts="j" onClick={skip}>
            {words.skip}
            <span className="shortcut" aria-hidden="true">
              J
            </span>
          </Button>
        )}
        <Button look="main" aria-keyshortcuts="e" onClick={onVerify}>
          {next ? words.verifyAndNext : words.verify}
          <span className="shortcut" aria-hidden="true">
            E
          </span>
        </Button>
      </div>
    </section>
  );
};

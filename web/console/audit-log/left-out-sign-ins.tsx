import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { type LogFilters, leftOutSignIns } from './audit-log-queries.ts';
import { AUDIT_LOG } from './audit-log-words.ts';

type LeftOutProps = { filters: LogFilters; onInclude: () => void };

/** Says how many sign-ins are left out of the list, with a button that shows them. */
export const LeftOutSignIns = ({ filters, onInclude }: LeftOutProps) => {
  const words = useWords(AUDIT_LOG);
  const { data } = useQuery(leftOutSignIns(filters));
  const count = data?.data.length ?? 0;
  return (
    <p className="row small muted log-left-out">
      {count > 0 && (
        <>
          {words.leftOut(formatNumber(count) + (data?.nextCursor ? '+' : ''), count)}
          <Button look="link" onClick={onInclude}>
            {words.include}
          </Button>
        </>
      )}
    </p>
  );
};

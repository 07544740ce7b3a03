import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Card, CardRow } from '../../components/card.tsx';
import { QueryRows } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { AuditSentence } from './audit-sentence.tsx';
import { ACTIVITY } from './audit-words.ts';
import { RecordChanges } from './record-changes.tsx';
import { recordsOf } from './record-queries.ts';

type ActivityCardProps = {
  /** The filter of the log that has all of it. */
  filter: string;
  children: ReactNode;
};

/** The card of what happened to a person or thing, with the way to the log. */
export const ActivityCard = ({ filter, children }: ActivityCardProps) => {
  const words = useWords(ACTIVITY);
  return (
    <Card
      title={words.activity}
      action={
        <Link className="small" href={`/audit-log?${filter}`}>
          {words.all}
        </Link>
      }
    >
      {children}
    </Card>
  );
};

/** The history of one project or team. */
export const TargetActivity = ({ targetId }: { targetId: string }) => {
  const { noActivity } = useWords(ACTIVITY);
  const query = useQuery(recordsOf(targetId));
  return (
    <ActivityCard filter={`targetId=${targetId}`}>
      <QueryRows query={query} none={noActivity}>
        {(record) => (
          <CardRow key={record.id}>
            <AuditSentence record={record} aboutTargetId={targetId} />
            <RecordChanges details={record.details} />
            <div className="muted small">
              <Time at={record.createdAt} />
            </div>
          </CardRow>
        )}
      </QueryRows>
    </ActivityCard>
  );
};

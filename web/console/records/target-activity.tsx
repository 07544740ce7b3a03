import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card, CardRow } from '../../components/card.tsx';
import { QueryRows } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { AuditSentence } from './audit-sentence.tsx';
import { RecordChanges } from './record-changes.tsx';
import { recordsOf } from './record-queries.ts';

type TargetActivityProps = {
  targetId: string;
  words: { activity: string; all: string; noActivity: string };
};

/** What happened to one project or team. */
export const TargetActivity = ({ targetId, words }: TargetActivityProps) => {
  const query = useQuery(recordsOf(targetId));
  return (
    <Card
      title={words.activity}
      action={
        <Link className="small" href={`/audit-log?targetId=${targetId}`}>
          {words.all}
        </Link>
      }
    >
      <QueryRows query={query} none={words.noActivity}>
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
    </Card>
  );
};

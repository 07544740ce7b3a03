import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card, CardRow } from '../../components/card.tsx';
import { QueryErrorRow } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { userRequests } from '../records/record-queries.ts';
import { RequestState, RequestSubject } from '../records/request-state.tsx';
import { USER_HELP } from './user-help-words.ts';

/** What was asked by a form with the person's address, which anybody can enter; each with its way to the inbox. */
export const RequestsCard = ({ userId }: { userId: string }) => {
  const words = useWords(USER_HELP);
  const query = useQuery(userRequests(userId));
  if (query.data?.data.length === 0 || (!query.data && !query.error)) return null;
  return (
    <Card title={words.withAddress} count={query.data && formatNumber(query.data.total)}>
      <QueryErrorRow query={query} />
      {query.data?.data.map((request) => (
        <CardRow key={request.id} button={<RequestState request={request} />}>
          <Link className="text-name" href={`/contact-requests?request=${request.id}`}>
            <RequestSubject request={request} />
          </Link>
          <div className="muted small">
            <Time at={request.createdAt} />
          </div>
        </CardRow>
      ))}
    </Card>
  );
};

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card, CardRow } from '../../components/card.tsx';
import { State } from '../../components/state.tsx';
import { QueryErrorRow } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { CONTACT } from '../contact-requests/contact-words.ts';
import { stageOf, subjectOf } from '../contact-requests/request.ts';
import { userRequests } from './user-queries.ts';

/** What was asked by a form with the person's address, which anybody can enter; each with its way to the inbox. */
export const RequestsCard = ({ userId }: { userId: string }) => {
  const words = useWords(CONTACT);
  const query = useQuery(userRequests(userId));
  if (query.data?.data.length === 0 || (!query.data && !query.error)) return null;
  return (
    <Card title={words.withAddress} count={query.data && formatNumber(query.data.total)}>
      <QueryErrorRow query={query} />
      {query.data?.data.map((request) => {
        const { name, look } = stageOf(request);
        return (
          <CardRow key={request.id} button={<State look={look}>{words.states[name]}</State>}>
            <Link className="name" href={`/contact-requests?request=${request.id}`}>
              <bdi>{subjectOf(request) || words.noSubject}</bdi>
            </Link>
            <div className="muted small">
              <Time at={request.createdAt} />
            </div>
          </CardRow>
        );
      })}
    </Card>
  );
};

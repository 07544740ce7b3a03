import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { userRequests } from '../records/record-queries.ts';
import { RequestState, RequestSubject } from '../records/request-state.tsx';
import { CONTACT } from './contact-words.ts';

/** What was asked with the same address, of which a colleague may have the answer. */
export const OtherRequests = ({ userId, id }: { userId: string; id: string }) => {
  const words = useWords(CONTACT);
  const { data } = useQuery(userRequests(userId));
  const others = data?.data.filter((request) => request.id !== id) ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-label={words.earlier} className="small">
      <h3 className="muted">{words.earlier}</h3>
      <ul className="request-rows">
        {others.map((request) => (
          <li key={request.id} className="request-line">
            <Link className="request-text" href={`/contact-requests?request=${request.id}`}>
              <RequestSubject request={request} />
            </Link>
            <span className="row muted">
              <RequestState request={request} />
              <Time at={request.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { formatTotal } from '../../components/lists/list.tsx';
import { useWords } from '../../words/words.ts';
import { contactRequestList, filterOf, VIEWS, type View } from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';

type ViewsProps = { view: View; ownId: string | undefined; search: string; onChoose: (view: View) => void };
type ViewProps = Omit<ViewsProps, 'view'> & { name: View; isChosen: boolean };

/** Reads the number of requests from the total of a page with one row. */
const ViewButton = ({ name, isChosen, ownId, search, onChoose }: ViewProps) => {
  const words = useWords(CONTACT);
  const { data } = useQuery(contactRequestList({ page: 1, perPage: 1, q: search, ...filterOf(name, ownId) }));
  return (
    <Button
      isSmall
      look={isChosen ? 'plain' : 'quiet'}
      aria-pressed={isChosen}
      onClick={() => onChoose(name)}
    >
      {words.views[name]}{' '}
      {data && <span className="muted number">{formatTotal(data.total, data.totalCapped)}</span>}
    </Button>
  );
};

/** The views of the inbox, each with the number of requests that match the search. */
export const RequestViews = ({ view, ...props }: ViewsProps) => (
  <div className="request-views">
    {VIEWS.map((each) => (
      <ViewButton key={each} {...props} name={each} isChosen={each === view} />
    ))}
  </div>
);

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card, CardRow } from '../../components/card.tsx';
import { formatTotal } from '../../components/list.tsx';
import { Page } from '../../components/page.tsx';
import { QueryError, QueryErrorRow } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { latestRecords } from '../audit-log/audit-log-queries.ts';
import { AuditSentence } from '../audit-log/audit-sentence.tsx';
import { failedMails, formsNotDone, teamsToVerify } from './overview-queries.ts';
import { OVERVIEW } from './overview-words.ts';

type TileProps = { label: string; href: string; query: ReturnType<typeof teamsToVerify> };

/** How much of one thing waits, and where it is. */
const Tile = ({ label, href, query: options }: TileProps) => {
  const words = useWords(OVERVIEW);
  const query = useQuery(options);
  const { data } = query;
  return (
    <li>
      <Link className="tile" href={href}>
        <span className="muted small">{label}</span>
        <span className="tile-number number">{data && formatTotal(data.total, data.totalCapped)}</span>
        <span className="muted small">{data?.total === 0 ? words.nothing : words.look}</span>
      </Link>
      <QueryError query={query} />
    </li>
  );
};

const Latest = () => {
  const words = useWords(OVERVIEW);
  const query = useQuery(latestRecords());
  const { data } = query;
  return (
    <Card
      title={words.latest}
      action={
        <Link className="small" href="/audit-log">
          {words.log}
        </Link>
      }
    >
      <QueryErrorRow query={query} />
      {data?.data.length === 0 && (
        <CardRow>
          <span className="muted">{words.noActions}</span>
        </CardRow>
      )}
      {data?.data.map((record) => (
        <div className="card-row" key={record.id}>
          <AuditSentence record={record} />
          <span className="muted small">
            <Time at={record.createdAt} />
          </span>
        </div>
      ))}
    </Card>
  );
};

/** The first screen: what waits for somebody, and what happened last. */
export const Overview = () => {
  const words = useWords(OVERVIEW);
  return (
    <Page title={words.title}>
      <div className="stack">
        <h2 className="visually-hidden">{words.waits}</h2>
        <ul className="tiles">
          <Tile label={words.teams} href="/teams?status=ONBOARDING" query={teamsToVerify()} />
          <Tile label={words.forms} href="/contact-requests?isDone=false" query={formsNotDone()} />
          <Tile label={words.mails} href="/mails?state=failed" query={failedMails()} />
        </ul>
        <Latest />
      </div>
    </Page>
  );
};

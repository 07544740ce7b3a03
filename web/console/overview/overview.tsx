import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { AlertIcon } from '../../components/form-icons.tsx';
import { Page } from '../../components/frame/page.tsx';
import {
  BlockIcon,
  ColleaguesIcon,
  InvitationIcon,
  RefreshIcon,
  RequestIcon,
  SendIcon,
  VerifiedIcon,
} from '../../components/icons.tsx';
import { State } from '../../components/state.tsx';
import { QueryError, QueryRows, UnknownValue } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { formatNumber, formatTime } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { AuditSentence } from '../records/audit-sentence.tsx';
import { nameOfActor } from '../records/describe-record.ts';
import { latestRecords } from '../records/record-queries.ts';
import { type Statistics, useStatistics, type Waiting } from '../statistics.ts';
import { DaysCard } from './days-card.tsx';
import { OVERVIEW } from './overview-words.ts';

type TileProps = {
  label: string;
  icon: ReactNode;
  href: string;
  /** Undefined while it is loaded for the first time. */
  waiting: Waiting[keyof Waiting] | undefined;
  look: 'warn' | 'bad' | 'new';
};

/** How much of one thing waits, since when, and where it is. */
const Tile = ({ label, icon, href, waiting, look }: TileProps) => {
  const words = useWords(OVERVIEW);
  const count = waiting?.count;
  return (
    <li>
      <Link className="third" href={href}>
        <span className="third-label">
          {icon}
          {label}
        </span>
        <span className={count === 0 ? 'third-number muted' : 'third-number'}>
          {count === undefined ? <UnknownValue /> : formatNumber(count)}
        </span>
        <span className="third-note">
          {!waiting && <UnknownValue />}
          {count === 0 && <State look="ok">{words.nothing}</State>}
          {waiting && waiting.count > 0 && (
            <State look={look}>
              {words.oldest} <Time at={waiting.oldestAt} />
            </State>
          )}
        </span>
      </Link>
    </li>
  );
};

const WhatWaits = ({ waiting }: { waiting: Waiting | undefined }) => {
  const words = useWords(OVERVIEW);
  const tiles = [
    [<VerifiedIcon key="icon" />, words.teams, waiting?.teams, '/teams?status=ONBOARDING', 'warn'],
    [<RequestIcon key="icon" />, words.forms, waiting?.contactRequests, '/contact-requests', 'new'],
    [<SendIcon key="icon" />, words.mails, waiting?.failedMails, '/mails?state=failed', 'bad'],
  ] as const;
  return (
    <section aria-labelledby="waits">
      <h2 id="waits" className="visually-hidden">
        {words.waits}
      </h2>
      <ul className="card third-row">
        {tiles.map(([icon, label, waits, href, look]) => (
          <Tile key={href} icon={icon} label={label} waiting={waits} href={href} look={look} />
        ))}
      </ul>
    </section>
  );
};

const Latest = () => {
  const words = useWords(OVERVIEW);
  const query = useQuery(latestRecords());
  return (
    <Card title={words.latest} action={<Link href="/audit-log">{words.log}</Link>}>
      <QueryRows query={query} none={words.noActions}>
        {(record) => (
          <div className="event" key={record.id}>
            <Avatar name={nameOfActor(record) ?? '?'} />
            <div className="event-text">
              <AuditSentence record={record} />
            </div>
            <Time at={record.createdAt} />
          </div>
        )}
      </QueryRows>
    </Card>
  );
};

type Since = NonNullable<Statistics['since']>;

const Since = ({ counts, since }: { counts: Since; since: string }) => {
  const words = useWords(OVERVIEW);
  const rows = [
    [<InvitationIcon key="icon" />, words.newSignUps, counts.signUps, '/users'],
    [<RequestIcon key="icon" />, words.newRequests, counts.contactRequests, '/contact-requests'],
    [<VerifiedIcon key="icon" />, words.newTeams, counts.newTeams, '/teams'],
    [<BlockIcon key="icon" />, words.blocked, counts.blocked, '/users?isBlocked=true'],
    [<AlertIcon key="icon" />, words.failedMails, counts.failedMails, '/mails?state=failed'],
    [<ColleaguesIcon key="icon" />, words.acceptedInvitations, counts.acceptedInvitations, '/colleagues'],
  ] as const;
  return (
    <Card
      title={words.since}
      action={
        <span className="muted small">
          <Time at={since} />
        </span>
      }
    >
      {rows.map(([icon, label, count, href]) => (
        <Link key={label} className="since" href={href}>
          {icon}
          <span>{label}</span>
          <span className={count === 0 ? 'number muted' : 'number'}>{formatNumber(count)}</span>
        </Link>
      ))}
    </Card>
  );
};

/** The first screen of an ADMIN: what waits, the last days, and the latest records. It loads again each minute. */
export const Overview = () => {
  const words = useWords(OVERVIEW);
  const { user } = useSignedIn();
  const { query, since } = useStatistics(user.id);
  const { data, dataUpdatedAt } = query;
  return (
    <Page
      title={words.title}
      actions={
        dataUpdatedAt > 0 && (
          <>
            <span className="muted small number">{words.updated(formatTime(new Date(dataUpdatedAt)))}</span>
            <Button
              look="icon"
              aria-label={words.refresh}
              title={words.refresh}
              isBusy={query.isFetching}
              onClick={() => void query.refetch()}
            >
              <RefreshIcon />
            </Button>
          </>
        )
      }
    >
      <div className="stack">
        <QueryError query={query} />
        {(data || query.error == null) && (
          <>
            <WhatWaits waiting={data?.waiting} />
            <DaysCard days={data?.days} />
          </>
        )}
        <div className="columns">
          <Latest />
          {data?.since && since !== undefined && <Since counts={data.since} since={since} />}
        </div>
      </div>
    </Page>
  );
};

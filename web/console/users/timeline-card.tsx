import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CardBody, CardRow, EmptyRow } from '../../components/card.tsx';
import { QueryErrorRow, Skeleton } from '../../components/states.tsx';
import { nameOfRecordedDevice } from '../../words/device.ts';
import { formatLongDay, formatNumber, formatTime } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { nameOf } from '../names.ts';
import { AuditSentence } from '../records/audit-sentence.tsx';
import { ACTIVITY } from '../records/audit-words.ts';
import { addressesOf, toSpan } from '../records/group-repeats.ts';
import { MAIL_NAMES } from '../records/mail-names.ts';
import { ActivityCard } from '../records/target-activity.tsx';
import { Moment, signOfMail, signOfRecord } from './moment.tsx';
import { SEGMENTS, type Segment, toTimeline } from './timeline.ts';
import { USER_HELP } from './user-help-words.ts';
import { userActivity, userMails } from './user-queries.ts';
import './user.css';

type Entry = ReturnType<typeof toTimeline>[number];

const EntryRow = ({ entry, userId }: { entry: Entry; userId: string }) => {
  const help = useWords(USER_HELP);
  const names = useWords(MAIL_NAMES);
  if (entry.segment === 'mails') {
    const { mail, service, recipient, state, at, failure } = entry.mail;
    return (
      <Moment sign={signOfMail(state)} at={at} time={formatTime(new Date(at))}>
        <span className="strong">{help.mail}:</span> {service ?? nameOf(names, mail)}
        <div className="muted">
          {recipient} · {nameOf(help.mailStates, state)}
        </div>
        {failure && <div>{failure}</div>}
      </Moment>
    );
  }
  const { newest, records } = entry.group;
  const origin = [
    nameOfRecordedDevice(newest.details),
    ...(entry.segment === 'signIns' ? addressesOf(entry.group) : []),
  ].filter(Boolean);
  return (
    <Moment sign={signOfRecord(newest)} at={newest.createdAt} time={toSpan(entry.group)}>
      <AuditSentence record={newest} aboutUserId={userId} />
      {records.length > 1 && <span className="strong"> {help.times(formatNumber(records.length))}</span>}
      {origin.length > 0 && <div className="muted">{origin.join(', ')}</div>}
    </Moment>
  );
};

/** Names a day in the reader's time zone; the current one is "today". */
const useNameOfDay = () => {
  const { today } = useWords(USER_HELP);
  return (at: string): string => {
    const day = formatLongDay(new Date(at));
    return day === formatLongDay(new Date()) ? today : day;
  };
};

const SHOWN = 8;

/** The loaded entries that the chosen segment shows. */
const useTimeline = (userId: string, isKept: boolean, segment: Segment) => {
  const hasRecords = segment !== 'mails';
  const hasMails = isKept && (segment === 'all' || segment === 'mails');
  const activity = useInfiniteQuery({
    ...userActivity(userId, hasRecords ? segment : 'all'),
    enabled: hasRecords,
  });
  const mailed = useInfiniteQuery({ ...userMails(userId), enabled: hasMails });
  const records = hasRecords ? (activity.data?.pages.flatMap(({ data }) => data) ?? []) : [];
  const mails = hasMails ? (mailed.data?.pages.flatMap(({ data }) => data) ?? []) : [];
  const queries = [...(hasRecords ? [activity] : []), ...(hasMails ? [mailed] : [])];
  const oldest = [
    ...(activity.hasNextPage ? records.slice(-1).map(({ createdAt }) => createdAt) : []),
    ...(mailed.hasNextPage ? mails.slice(-1).map(({ at }) => at) : []),
  ];
  return {
    entries: toTimeline(records, mails, Math.max(0, ...oldest.map((at) => Date.parse(at)))),
    queries,
    isLoaded: queries.every(({ data }) => data !== undefined),
    hasMore: queries.some(({ hasNextPage }) => hasNextPage),
    isLoadingMore: queries.some(({ isFetchingNextPage }) => isFetchingNextPage),
    loadMore: () => {
      for (const query of queries) if (query.hasNextPage) void query.fetchNextPage();
    },
  };
};

/** Sign-ins, mails and changes in one column. */
export const TimelineCard = ({ userId, isKept }: { userId: string; isKept: boolean }) => {
  const { noActivity } = useWords(ACTIVITY);
  const help = useWords(USER_HELP);
  const [segment, setSegment] = useState<Segment>('all');
  const [isLong, setLong] = useState(false);
  const nameOfDay = useNameOfDay();
  const { entries, queries, isLoaded, hasMore, isLoadingMore, loadMore } = useTimeline(
    userId,
    isKept,
    segment,
  );
  const shown = entries.slice(0, isLong ? undefined : SHOWN);
  const choose = (next: Segment): void => {
    setSegment(next);
    setLong(false);
  };
  const showOlder = (): void => {
    setLong(true);
    if (shown.length === entries.length) loadMore();
  };
  return (
    <ActivityCard filter={`userId=${userId}`}>
      <CardBody>
        <div className="segment-group">
          {SEGMENTS.map((each) => (
            <button
              key={each}
              type="button"
              className="segment"
              aria-pressed={each === segment}
              onClick={() => choose(each)}
            >
              {help.segments[each]}
            </button>
          ))}
        </div>
      </CardBody>
      {queries.map((query, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sources of a segment do not move.
        <QueryErrorRow key={index} query={query} />
      ))}
      {!isLoaded && queries.every(({ error }) => error == null) && (
        <CardBody>
          <Skeleton />
        </CardBody>
      )}
      {isLoaded && entries.length === 0 && (
        <EmptyRow>{segment === 'mails' ? help.noMails : noActivity}</EmptyRow>
      )}
      {[...Map.groupBy(shown, ({ at }) => nameOfDay(at))].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h3 className="user-timeline-day">{day}</h3>
          <ol className="user-timeline">
            {ofDay.map((entry) => (
              <EntryRow key={entry.segment + entry.id} entry={entry} userId={userId} />
            ))}
          </ol>
        </section>
      ))}
      {(entries.length > shown.length || hasMore) && (
        <CardRow>
          <Button look="link" isBusy={isLoadingMore} onClick={showOlder}>
            {help.showOlder}
          </Button>
        </CardRow>
      )}
    </ActivityCard>
  );
};

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { Card, CardBody, CardRow, EmptyRow } from '../../components/card.tsx';
import { QueryErrorRow } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { nameOfDevice } from '../../words/device.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { AuditSentence } from '../audit-log/audit-sentence.tsx';
import { addressesOf } from '../audit-log/group-repeats.ts';
import { MAILS } from '../mails/mail-words.ts';
import { nameOf } from '../names.ts';
import { findUserAgent, SEGMENTS, type Segment, toTimeline } from './timeline.ts';
import { USER_HELP } from './user-help-words.ts';
import { userActivity, userMails } from './user-queries.ts';
import { USERS } from './user-words.ts';

type Entry = ReturnType<typeof toTimeline>[number];

const EntryRow = ({ entry, userId }: { entry: Entry; userId: string }) => {
  const help = useWords(USER_HELP);
  const { names } = useWords(MAILS);
  if (entry.segment === 'mails') {
    const { mail, service, recipient, state, at, failure } = entry.mail;
    return (
      <CardRow>
        {help.mail}: {service ?? nameOf(names, mail)}
        <div className="muted small">
          {recipient} · {nameOf(help.mailStates, state)} · <Time at={at} />
        </div>
        {failure && <div className="small">{failure}</div>}
      </CardRow>
    );
  }
  const { newest, oldest, records } = entry.group;
  const device = findUserAgent(newest);
  return (
    <CardRow>
      <AuditSentence record={newest} aboutUserId={userId} />
      {records.length > 1 && <span className="strong"> {help.times(formatNumber(records.length))}</span>}
      <div className="muted small">
        {device !== undefined && `${nameOfDevice({ userAgent: device })}, `}
        {entry.segment === 'signIns' && `${addressesOf(entry.group).join(', ')} · `}
        {records.length > 1 && (
          <>
            <Time at={oldest.createdAt} /> –{' '}
          </>
        )}
        <Time at={newest.createdAt} />
      </div>
    </CardRow>
  );
};

const SHOWN = 8;

/** Sign-ins, mails and changes in one column. */
export const TimelineCard = ({ userId, isKept }: { userId: string; isKept: boolean }) => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const [segment, setSegment] = useState<Segment>('all');
  const [isLong, setLong] = useState(false);
  const activity = useQuery(userActivity(userId));
  const mails = useQuery({ ...userMails(userId), enabled: isKept });
  const isLoaded = activity.data !== undefined && (mails.data !== undefined || !isKept);
  const entries = toTimeline(activity.data?.data ?? [], mails.data?.data ?? [], segment);
  return (
    <Card
      title={words.activity}
      action={
        <Link className="small" href={`/audit-log?userId=${userId}`}>
          {words.all}
        </Link>
      }
    >
      <CardBody>
        <div className="segments">
          {SEGMENTS.map((each) => (
            <button
              key={each}
              type="button"
              className="segment"
              aria-pressed={each === segment}
              onClick={() => setSegment(each)}
            >
              {help.segments[each]}
            </button>
          ))}
        </div>
      </CardBody>
      <QueryErrorRow query={activity} />
      {isKept && <QueryErrorRow query={mails} />}
      {isLoaded && entries.length === 0 && (
        <EmptyRow>{segment === 'mails' ? help.noMails : words.noActivity}</EmptyRow>
      )}
      {entries.slice(0, isLong ? undefined : SHOWN).map((entry) => (
        <EntryRow key={entry.segment + entry.id} entry={entry} userId={userId} />
      ))}
      {!isLong && entries.length > SHOWN && (
        <CardRow>
          <Button look="link" onClick={() => setLong(true)}>
            {help.showOlder}
          </Button>
        </CardRow>
      )}
    </Card>
  );
};

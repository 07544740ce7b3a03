import type { AuditRecord } from '@platform/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton, Id } from '../../components/copy-button.tsx';
import { ChevronIcon, RightIcon } from '../../components/icons.tsx';
import { nameOfRecordedDevice } from '../../words/device.ts';
import { formatExactly, formatLongDay, formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { ActorMark, useColumns } from '../records/audit-sentence.tsx';
import { linkOfTarget, type Part } from '../records/describe-record.ts';
import { addressesOf, groupRepeats, type RecordGroup, toSpan } from '../records/group-repeats.ts';
import { AUDIT_LOG } from './audit-log-words.ts';
import { ChangeTable } from './change-table.tsx';
import { PersonPopover } from './person-popover.tsx';

type Group = RecordGroup<AuditRecord>;

const linkTo = (id: string): string => new URL(`/console/audit-log?record=${id}`, window.location.href).href;

/** The details of an opened record, below its row. */
const RecordDetails = ({ record }: { record: AuditRecord }) => {
  const words = useWords(AUDIT_LOG);
  const href = linkOfTarget(record);
  return (
    <div className="log-details">
      <ChangeTable details={record.details} />
      <div className="row small muted">
        <span>{[nameOfRecordedDevice(record.details), record.address].filter(Boolean).join(', ')}</span>
        <span>
          {words.requestId}: <Id id={record.requestId} />
        </span>
        <span>{formatExactly(new Date(record.createdAt))}</span>
        <span>
          {words.link}: <CopyButton text={linkTo(record.id)} />
        </span>
        {href !== undefined && (
          <Link className="button button-small log-open" href={href}>
            {words.open[record.targetType ?? '']}
          </Link>
        )}
      </div>
    </div>
  );
};

/** The actor: a person, with a panel about them, or a service, the command line, somebody unknown. */
const Who = ({ record, who }: { record: AuditRecord; who: Part | undefined }) => {
  const words = useWords(AUDIT_LOG);
  const { actorId } = record;
  const name = who?.text ?? words.unknown;
  if (who?.href !== undefined && actorId !== null && who.href === `/users/${actorId}`)
    return <PersonPopover id={actorId} name={name} mark={<ActorMark {...who} />} />;
  return (
    <span className="log-who">
      <Avatar name={who ? name : '?'} />
      <bdi className={who ? undefined : 'muted'}>{name}</bdi>
    </span>
  );
};

/** One record, or repeats of it with their number and span. */
const LogRow = ({ group, isOpenAtFirst }: { group: Group; isOpenAtFirst: boolean }) => {
  const words = useWords(AUDIT_LOG);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { newest, records } = group;
  const { who, what } = useColumns(newest);
  const addresses = addressesOf(group);
  return (
    <li className={isOpen ? 'log-row log-row-open' : 'log-row'} data-row={newest.id}>
      <div className="log-line">
        <time className="muted small number" dateTime={newest.createdAt}>
          {toSpan(group)}
        </time>
        <Who record={newest} who={who} />
        <span className="log-what">
          {what}
          {records.length > 1 && words.times(formatNumber(records.length))}
        </span>
        <span className="muted small">
          {addresses.length > 1
            ? words.addresses(formatNumber(addresses.length))
            : [nameOfRecordedDevice(newest.details), addresses[0]].filter(Boolean).join(', ')}
        </span>
        <Button
          look="icon"
          isSmall
          data-open
          aria-expanded={isOpen}
          title={words.details}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronIcon /> : <RightIcon />}
          <span className="visually-hidden">{words.details}</span>
        </Button>
      </div>
      {isOpen && records.map((record) => <RecordDetails key={record.id} record={record} />)}
    </li>
  );
};

/** Divides the groups by the day in the reader's time zone, and keeps their order. */
const toDays = (groups: readonly Group[]): [day: string, groups: Group[]][] => [
  ...Map.groupBy(groups, ({ newest }) => formatLongDay(new Date(newest.createdAt))),
];

type LogRowsProps = {
  records: readonly AuditRecord[];
  isGrouped: boolean;
  isOld?: boolean;
  isOpen?: boolean;
};

/** The days, newest first, with their records. */
export const LogRows = ({ records, isGrouped, isOld = false, isOpen = false }: LogRowsProps) => {
  const words = useWords(AUDIT_LOG);
  const groups = isGrouped
    ? groupRepeats(records)
    : records.map((record): Group => ({ newest: record, oldest: record, records: [record] }));
  return (
    <div className={isOld ? 'log log-old' : 'log'}>
      <div className="log-line log-head" aria-hidden="true">
        <span>{words.time}</span>
        <span>{words.who}</span>
        <span>{words.did}</span>
        <span>{words.origin}</span>
        <span />
      </div>
      {toDays(groups).map(([day, items]) => (
        <section key={day} aria-label={day}>
          <h2 className="log-day">{day}</h2>
          <ul>
            {items.map((group) => (
              <LogRow key={group.newest.id} group={group} isOpenAtFirst={isOpen} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
};

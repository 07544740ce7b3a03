import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CheckBox } from '../../components/forms/fields.tsx';
import { Chip, FilterDay, Filters } from '../../components/lists/list-filters.tsx';
import { Popover } from '../../components/popover.tsx';
import { formatDay, formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { present } from '../query-fields.ts';
import { hidesSignIns } from './audit-log-queries.ts';
import { AUDIT_LOG } from './audit-log-words.ts';
import { dayBefore } from './day-range.ts';
import { LeftOutSignIns } from './left-out-sign-ins.tsx';
import { WhatFilter } from './what-filter.tsx';
import { UserName, WhoFilter } from './who-filter.tsx';

export const LOG_FILTERS = [
  'action',
  'userId',
  'actorId',
  'targetId',
  'signIns',
  'from',
  'to',
  'cursor',
  'record',
] as const;
/** The periods start this many days before today. */
const PERIODS = [0, 6, 29] as const;

type Filter = Partial<Record<(typeof LOG_FILTERS)[number], string>>;
type Changes = { [Name in keyof Filter]: string | undefined };
type LogFiltersProps = { filters: Filter; set: (changes: Changes) => void };

/** Chooses a period that ends today, or two days. */
const Period = ({ filters, set }: LogFiltersProps) => {
  const words = useWords(AUDIT_LOG);
  const isPeriod = filters.to === undefined && PERIODS.some((days) => filters.from === dayBefore(days));
  const { from, to } = filters;
  const hasDates = (from ?? to) !== undefined && !isPeriod;
  return (
    <fieldset className="segment-group" aria-label={words.period}>
      {PERIODS.map((days) => {
        const start = dayBefore(days);
        const isChosen = from === start && to === undefined;
        return (
          <button
            key={days}
            type="button"
            className="segment"
            aria-pressed={isChosen}
            onClick={() => set({ from: isChosen ? undefined : start, to: undefined })}
          >
            {days === 0 ? words.today : words.days(formatNumber(days + 1))}
          </button>
        );
      })}
      <Popover
        label={words.dates}
        className={hasDates ? 'segment segment-chosen' : 'segment'}
        button={hasDates ? [from, to].map((day) => formatDay(day) || '…').join(' – ') : words.dates}
      >
        {(close) => (
          <div className="stack-small log-person-card">
            <FilterDay label={words.from} value={from} onChange={(day) => set({ from: day })} />
            <FilterDay label={words.to} value={to} onChange={(day) => set({ to: day })} />
            {hasDates && (
              <Button
                isSmall
                onClick={() => {
                  set({ from: undefined, to: undefined });
                  close();
                }}
              >
                {words.clear}
              </Button>
            )}
          </div>
        )}
      </Popover>
    </fieldset>
  );
};

/** The filters that only links set, as chips. */
const LinkedChips = ({ filters, set }: LogFiltersProps) => {
  const words = useWords(AUDIT_LOG);
  const { actorId, targetId, record } = filters;
  return (
    <>
      {actorId && (
        <Chip label={words.actor} onRemove={() => set({ actorId: undefined })}>
          <Link href={`/users/${actorId}`}>
            <UserName id={actorId} />
          </Link>
        </Chip>
      )}
      {targetId && (
        <Chip label={words.target} onRemove={() => set({ targetId: undefined })}>
          <span className="code">{targetId}</span>
        </Chip>
      )}
      {record && (
        <Chip label={words.record} onRemove={() => set({ record: undefined })}>
          <span className="code">{record}</span>
        </Chip>
      )}
    </>
  );
};

type LogFilterBarProps = LogFiltersProps & {
  isGrouped: boolean;
  setGrouped: (isGrouped: boolean) => void;
};

export const LogFilterBar = ({ filters, set, isGrouped, setGrouped }: LogFilterBarProps) => {
  const words = useWords(AUDIT_LOG);
  const { signIns, cursor, record, ...others } = filters;
  const isHiddenAtFirst = hidesSignIns(others);
  const showSignIns = (isShown: boolean): void => {
    // The address has only what differs from the default.
    const other = isShown ? 'shown' : 'hidden';
    set({ signIns: isShown === isHiddenAtFirst ? other : undefined });
  };
  return (
    <>
      <Filters>
        <Period filters={filters} set={set} />
        <WhoFilter userId={filters.userId} onChoose={(userId) => set({ userId })} />
        <WhatFilter action={filters.action} onChoose={(action) => set({ action })} />
        <LinkedChips filters={filters} set={set} />
        <span className="log-checks">
          {filters.action === undefined && (
            <CheckBox
              checked={!hidesSignIns(filters)}
              onChange={({ currentTarget }) => showSignIns(currentTarget.checked)}
            >
              {words.signIns}
            </CheckBox>
          )}
          <CheckBox checked={isGrouped} onChange={({ currentTarget }) => setGrouped(currentTarget.checked)}>
            {words.groupRepeats}
          </CheckBox>
        </span>
      </Filters>
      {hidesSignIns(filters) && (
        <LeftOutSignIns filters={present(others)} onInclude={() => showSignIns(true)} />
      )}
    </>
  );
};

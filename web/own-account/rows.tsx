import { type ReactNode, useEffect, useRef } from 'react';
import { StatusText } from '../components/frame/status-line.tsx';
import { StatusProvider, useStatus } from '../components/status.tsx';
import { useMinutes } from '../components/time.tsx';
import { formatAge, formatExactly, formatLongDate } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { OWN_ACCOUNT } from './words.ts';

type RowProps = {
  icon: ReactNode;
  title: ReactNode;
  badge?: ReactNode;
  /** Texts below the title, such as what is stored. On a phone, each has a line of its own. */
  notes?: readonly ReactNode[];
  /** The buttons at the right: a word, or icons. */
  action?: ReactNode;
  /** An element below the row, such as the error of its action. */
  children?: ReactNode;
};

/** One fact of the own account: what it is, notes below it, and its action at the right. */
export const Row = ({ icon, title, badge, notes = [], action, children }: RowProps) => (
  <div className="item">
    {icon}
    <div>
      <div className="item-title">
        {title} {badge}
      </div>
      {notes.length > 0 && (
        <div className="item-note">
          {notes.map((note, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a row do not move.
            <span key={index}>
              {index > 0 && <span className="item-dot"> · </span>}
              {note}
            </span>
          ))}
        </div>
      )}
      {children}
    </div>
    {action && <div className="own-action">{action}</div>}
  </div>
);

/** The last row of a list, for an action on the whole list. Its child is a button that looks like a link. */
export const WideRow = ({ children }: { children: ReactNode }) => <div className="item-wide">{children}</div>;

type GroupProps = { title?: string; children: ReactNode };

/** A group inside a card, with a small heading, or without one. */
export const Group = ({ title, children }: GroupProps) => (
  <div className="item-group">
    {title && <h3 className="item-group-head">{title}</h3>}
    {children}
  </div>
);

/** Says what was done, in the part of the page where it was done: the top of the page may be out of view. */
export const LocalStatus = () => {
  const { status } = useStatus();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (status) place.current?.scrollIntoView({ block: 'nearest' });
  }, [status]);
  return (
    <div ref={place}>
      <StatusText />
    </div>
  );
};

/** A group that has a status line of its own, because that of the page may be out of view. */
export const ActionGroup = ({ children, ...group }: GroupProps) => (
  <StatusProvider>
    <Group {...group}>
      <LocalStatus />
      {children}
    </Group>
  </StatusProvider>
);

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const describe = (moment: Date, words: { justNow: string; onDay: (date: string) => string }): string => {
  const age = Date.now() - moment.getTime();
  if (age >= DAY) return words.onDay(formatLongDate(moment));
  return age < MINUTE ? words.justNow : formatAge(moment, 'long');
};

/** "Last used 3 hours ago" or "Last used on 19 November 2026", with the exact moment on hover. */
export const Moment = ({ at, sentence }: { at: string; sentence: (time: string) => string }) => {
  const words = useWords(OWN_ACCOUNT);
  useMinutes();
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatExactly(moment)}>
      {sentence(describe(moment, words))}
    </time>
  );
};

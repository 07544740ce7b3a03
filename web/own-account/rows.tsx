import type { ReactNode } from 'react';
import { formatAge, formatExactly } from '../words/formats.ts';

type RowProps = {
  icon: ReactNode;
  title: ReactNode;
  badge?: ReactNode;
  /** Below the title, such as what is stored. Several stand below each other on a phone. */
  notes?: readonly ReactNode[];
  /** A word at the right, or icons. */
  action?: ReactNode;
  /** An error of the action. */
  children?: ReactNode;
};

/** One fact of the own account: what it is, notes below it, and its action at the right. */
export const Row = ({ icon, title, badge, notes = [], action, children }: RowProps) => (
  <div className="item">
    {icon}
    <div className="item-text">
      <div className="item-title">
        {title} {badge}
      </div>
      {notes.length > 0 && (
        <div className="item-note">
          {notes.map((note, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a row do not move.
            <span key={index}>{note}</span>
          ))}
        </div>
      )}
      {children}
    </div>
    {action && <div className="item-action">{action}</div>}
  </div>
);

/** The last row of a list: what belongs to all of it. Its child is a button that looks like a link. */
export const WideRow = ({ children }: { children: ReactNode }) => <div className="item-wide">{children}</div>;

/** A group inside a card, with a small heading, or without one. */
export const Group = ({ title, children }: { title?: string; children: ReactNode }) => (
  <div className="items">
    {title && <h3 className="items-head">{title}</h3>}
    {children}
  </div>
);

/** "Last used 3 hours ago", with the exact moment on hover. */
export const Moment = ({ at, sentence }: { at: string; sentence: (time: string) => string }) => {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatExactly(moment)}>
      {sentence(formatAge(moment))}
    </time>
  );
};

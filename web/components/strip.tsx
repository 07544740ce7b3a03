import type { ReactNode } from 'react';

export type StripFact = {
  label: string;
  value: ReactNode;
  /** The text below the value, in small letters. */
  hint?: ReactNode;
  isWarning?: boolean;
};

/** The most important facts about a person or thing, in one row before the cards. */
export const Strip = ({ facts }: { facts: readonly StripFact[] }) => (
  <dl className="card strip">
    {facts.map(({ label, value, hint, isWarning }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
        {hint && <dd className={isWarning ? 'strip-warning' : undefined}>{hint}</dd>}
      </div>
    ))}
  </dl>
);

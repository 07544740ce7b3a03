import { type ReactNode, useId } from 'react';

type CardProps = {
  title: ReactNode;
  /** Links in mails lead to the card by this id. */
  id?: string;
  /** How many rows the card has, beside its title. */
  count?: string | undefined;
  action?: ReactNode;
  children: ReactNode;
};

/** A named section. Its children are `CardRow`s or one `CardBody`. */
export const Card = ({ title, id, count, action, children }: CardProps) => {
  const titleId = useId();
  return (
    <section id={id} className="card" aria-labelledby={titleId}>
      <div className="card-head">
        <div className="row">
          <h2 id={titleId}>{title}</h2>
          {count !== undefined && <span className="muted">{count}</span>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
};

export const CardBody = ({ children }: { children: ReactNode }) => (
  <div className="card-body">{children}</div>
);

type CardRowProps = { icon?: ReactNode; children: ReactNode; button?: ReactNode };

/** One line of a card: what it is, facts below it, and a button or a fact at the right. */
export const CardRow = ({ icon, children, button }: CardRowProps) => (
  <div className={button ? 'card-row card-row-with-button' : 'card-row'}>
    <div className={icon ? 'card-row-with-icon' : undefined}>
      {icon}
      <div>{children}</div>
    </div>
    {button && <div className="row row-end">{button}</div>}
  </div>
);

/** Says that there are no rows, in their place. */
export const EmptyRow = ({ children }: { children: ReactNode }) => (
  <CardRow>
    <span className="muted">{children}</span>
  </CardRow>
);

/** Labels and values. A value that is missing is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([label, value]) => (
      <div key={label} className="facts-pair">
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

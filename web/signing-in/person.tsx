import type { ReactNode } from 'react';
import { Address } from '../components/address.tsx';
import { PersonMark } from '../components/person-mark.tsx';

type PersonProps = {
  email: string;
  /** Undefined where it is not known. */
  name?: string | undefined;
  /** The button at the right, such as "Not you?". */
  action?: ReactNode;
};

/** The person who signs in. The name is often unknown: no operation returns it before the sign-in is complete. */
export const Person = ({ email, name, action }: PersonProps) => (
  <div className="person">
    <PersonMark name={name ?? email} />
    <span className="person-text">
      <span className="strong">{name ?? <Address of={email} />}</span>
      {name && (
        <span className="muted small">
          <Address of={email} />
        </span>
      )}
    </span>
    {action}
  </div>
);

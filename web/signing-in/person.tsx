import type { ReactNode } from 'react';
import { Address } from '../components/address.tsx';
import { initialsOf } from '../components/initials.ts';

type PersonProps = {
  email: string;
  /** Undefined where it is not known. */
  name?: string | undefined;
  /** The text above the address, such as the kind of the account. */
  note?: ReactNode;
  /** The button at the right, such as "Not you?". */
  action?: ReactNode;
};

/** The person who signs in. The name is often unknown: no operation returns it before the sign-in is complete. */
export const Person = ({ email, name, note, action }: PersonProps) => (
  <div className="person">
    <span className="person-mark" aria-hidden="true">
      {initialsOf(name ?? email)}
    </span>
    <span className="person-text">
      {note && <span className="muted small">{note}</span>}
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

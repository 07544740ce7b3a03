import { Address } from '../../components/address.tsx';
import { ShieldIcon } from '../../components/icons.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import type { Part } from './describe-record.ts';

/** Stands behind the name of who acted, because anybody may choose the name of a colleague. */
export const ActorMark = ({ role, address }: Pick<Part, 'role' | 'address'>) => {
  const { roles } = useWords(NAMES);
  if (role !== undefined)
    return (
      <span
        className="sentence-actor"
        role="img"
        aria-label={nameOf(roles, role)}
        title={nameOf(roles, role)}
      >
        {' '}
        <ShieldIcon />
      </span>
    );
  return (
    address !== undefined && (
      <span className="sentence-actor">
        {' ('}
        <bdi>
          <Address of={address} />
        </bdi>
        )
      </span>
    )
  );
};

import type { ReactNode } from 'react';
import { ChevronIcon } from '../../components/icons.tsx';
import { RemoveFilter } from '../../components/lists/filter-chips.tsx';
import { Popover } from '../../components/popover.tsx';

type FilterPopoverProps = {
  label: string;
  /** The chosen value, or the word for "all". */
  value: ReactNode;
  /** Undefined while nothing is chosen. */
  onRemove: (() => void) | undefined;
  children: (close: () => void) => ReactNode;
};

/** A filter that is always there, with its value and, once it is set, a cross. */
export const FilterPopover = ({ label, value, onRemove, children }: FilterPopoverProps) => (
  <span className="chip">
    <Popover
      label={label}
      className={onRemove ? 'chip-open' : 'chip-open chip-alone'}
      button={
        <>
          <span className="muted">{label}:</span> <span className="chip-value">{value}</span>
          {!onRemove && <ChevronIcon />}
        </>
      }
    >
      {children}
    </Popover>
    {onRemove && <RemoveFilter label={label} onClick={onRemove} />}
  </span>
);

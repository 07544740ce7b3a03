import type { ReactNode } from 'react';
import { ChevronIcon, CloseIcon } from '../../components/icons.tsx';
import { Popover } from '../../components/popover.tsx';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';

type FilterPopoverProps = {
  label: string;
  /** The chosen value, or the word for "all". */
  value: ReactNode;
  /** Undefined while nothing is chosen. */
  onRemove: (() => void) | undefined;
  children: (close: () => void) => ReactNode;
};

/** A filter that is always there, with its value and, once it is set, a cross. */
export const FilterPopover = ({ label, value, onRemove, children }: FilterPopoverProps) => {
  const words = useWords(COMMON);
  return (
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
      {onRemove && (
        <button
          type="button"
          className="chip-remove"
          aria-label={words.removeFilter(label)}
          title={words.removeFilter(label)}
          onClick={onRemove}
        >
          <CloseIcon />
        </button>
      )}
    </span>
  );
};

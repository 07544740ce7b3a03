import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type Placement, placeAt } from './menu.tsx';

type PopoverProps = {
  /** The name of the panel. */
  label: string;
  className: string;
  /** What the button shows. */
  button: ReactNode;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a panel of fields or facts. A click elsewhere and Escape close it. */
export const Popover = ({ label, className, button, children }: PopoverProps) => {
  const [opened, setOpened] = useState<{ by: HTMLElement; placement: Placement }>();
  const panel = useRef<HTMLDivElement>(null);
  const isOpen = opened !== undefined;
  useEffect(() => {
    if (isOpen) (panel.current?.querySelector<HTMLElement>('input, a, button') ?? panel.current)?.focus();
  }, [isOpen]);
  const close = () => {
    opened?.by.focus();
    setOpened(undefined);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    close();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onKeyDown={press}
        // Safari does not focus a button that is clicked: the panel would close, and its click would open it again.
        onMouseDown={(event) => isOpen && event.preventDefault()}
        onClick={({ currentTarget }) =>
          setOpened(isOpen ? undefined : { by: currentTarget, placement: placeAt(currentTarget) })
        }
      >
        {button}
      </button>
      {isOpen && (
        <div
          ref={panel}
          role="dialog"
          aria-label={label}
          // A click on its text keeps the focus inside.
          tabIndex={-1}
          className="menu popover"
          style={opened.placement}
          onKeyDown={press}
          onBlur={({ currentTarget, relatedTarget }) => {
            // Another window has the focus: what was chosen stays.
            if (!document.hasFocus()) return;
            // A click on the button closes the panel itself.
            if (!currentTarget.contains(relatedTarget) && relatedTarget !== opened.by) setOpened(undefined);
          }}
        >
          {children(close)}
        </div>
      )}
    </>
  );
};

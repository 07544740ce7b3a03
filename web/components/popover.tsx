import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useOpener } from './menu.tsx';

type PopoverProps = {
  /** The name of the panel. */
  label: string;
  className: string;
  /** The content of the button. */
  button: ReactNode;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a panel of fields or facts. A click elsewhere and Escape close it. */
export const Popover = ({ label, className, button, children }: PopoverProps) => {
  const { placement, close, closeOnBlur, button: opener } = useOpener('dialog');
  const panel = useRef<HTMLDivElement>(null);
  const isOpen = placement !== undefined;
  useEffect(() => {
    if (isOpen) (panel.current?.querySelector<HTMLElement>('input, a, button') ?? panel.current)?.focus();
  }, [isOpen]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    close();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button {...opener} className={className} onKeyDown={press}>
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
          style={placement}
          onKeyDown={press}
          // While another window has the focus, what was chosen stays.
          onBlur={(event) => document.hasFocus() && closeOnBlur(event)}
        >
          {children(close)}
        </div>
      )}
    </>
  );
};

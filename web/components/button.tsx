import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { useIsSlow } from './waiting.tsx';

type Look = 'main' | 'danger' | 'danger-quiet' | 'plain' | 'link';

const CLASSES: Record<Look, string> = {
  main: 'button button-main',
  danger: 'button button-danger',
  'danger-quiet': 'button button-danger-quiet',
  plain: 'button',
  link: 'link',
};

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> & {
  look?: Look;
  isWide?: boolean;
  isBusy?: boolean;
  /** Shown while the action takes more than 300 ms, such as "Saving …". */
  busyLabel?: ReactNode;
  /** Why the button does nothing now, beside it; it stays focusable. */
  isUnavailable?: boolean;
};

/** Cannot be pressed twice, and keeps the focus while its action is under way. */
export const Button = ({
  look = 'plain',
  isWide = false,
  isBusy = false,
  busyLabel,
  isUnavailable = false,
  type = 'button',
  onClick,
  children,
  ...attributes
}: ButtonProps) => {
  const isSlow = useIsSlow(isBusy);
  const isInert = isBusy || isUnavailable;
  return (
    <button
      {...attributes}
      type={type}
      className={isWide ? `${CLASSES[look]} button-wide` : CLASSES[look]}
      aria-disabled={isInert || undefined}
      onClick={(event) => {
        // A submit button must not submit again, by Enter in a field either.
        if (isInert) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isSlow && busyLabel ? busyLabel : children}
    </button>
  );
};

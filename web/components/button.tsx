import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { useIsSlow } from './waiting.tsx';

type Look = 'main' | 'danger' | 'danger-quiet' | 'plain' | 'quiet' | 'icon' | 'link';

const CLASSES: Record<Look, string> = {
  main: 'button button-main',
  danger: 'button button-danger',
  'danger-quiet': 'button button-danger-quiet',
  plain: 'button',
  // A button without a frame, such as in a row or a bar.
  quiet: 'button button-quiet',
  // An icon without a word: give it an `aria-label`.
  icon: 'button button-quiet button-icon',
  link: 'link',
};

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> & {
  look?: Look;
  isWide?: boolean;
  /** A button of 28 px, for rows and heads of cards. */
  isSmall?: boolean;
  isBusy?: boolean;
  /** Runs when the button is pressed, which is busy meanwhile. */
  mutation?: { mutate: () => void; isPending: boolean };
  /** Shown while the action takes more than 300 ms, such as "Saving …". */
  busyLabel?: ReactNode;
  /** The button does nothing now, but stays focusable; the text beside it says why. */
  isUnavailable?: boolean;
};

/** Cannot be pressed twice, and keeps the focus while its action is under way. */
export const Button = ({
  look = 'plain',
  isWide = false,
  isSmall = false,
  mutation,
  isBusy = mutation?.isPending ?? false,
  busyLabel,
  isUnavailable = false,
  type = 'button',
  onClick = () => mutation?.mutate(),
  children,
  ...attributes
}: ButtonProps) => {
  const isSlow = useIsSlow(isBusy);
  const isInert = isBusy || isUnavailable;
  return (
    <button
      {...attributes}
      type={type}
      className={`${CLASSES[look]}${isWide ? ' button-wide' : ''}${isSmall ? ' button-small' : ''}`}
      aria-disabled={isInert || undefined}
      onClick={(event) => {
        // A submit button must not submit again, by Enter in a field either.
        if (isInert) event.preventDefault();
        else onClick(event);
      }}
    >
      {isSlow && busyLabel ? busyLabel : children}
    </button>
  );
};

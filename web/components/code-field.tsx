import './code-field.css';
import { useEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from './fields.tsx';
import { useFieldError } from './form.tsx';

const CELLS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** The first six digits of what is typed or pasted, such as `482 913` or `Code: 482913`. */
export const toDigits = (text: string): string => text.replace(/\D/g, '').slice(0, CELLS.length);

type CodeFieldProps = FieldProps & {
  /** The code is being checked: the field keeps the focus, and nothing can be typed. */
  isBusy?: boolean;
  /** Digits that a link has filled in. They are not sent by themselves. */
  initial?: string;
  /** Called once for each six digits that were typed or pasted. */
  onComplete?: (input: HTMLInputElement) => void;
};

/**
 * A code of six digits: one input over six drawn cells, so that pasting, autofill and screen readers work as in
 * any field. Read it with `toDigits`. After an error, the digits of the field with the focus are selected, and
 * typing replaces them. An empty and a short code have the same sentence: with another one, the first digit that
 * is typed would be selected, and the second one would replace it.
 */
export const CodeField = ({ initial = '', isBusy = false, onComplete, ...props }: CodeFieldProps) => {
  const [digits, setDigits] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  const error = useFieldError(props.name);
  useEffect(() => {
    // `select` would take the focus from the first wrong field of the form.
    if (error !== undefined && input.current === document.activeElement) input.current?.select();
  }, [error]);
  const take = (control: HTMLInputElement): void => {
    const typed = toDigits(control.value);
    setDigits(typed);
    if (typed !== digits && typed.length === CELLS.length) onComplete?.(control);
  };
  return (
    <Field {...props} missing={props.missing ?? props.invalid}>
      {(wiring) => (
        <div
          className={error === undefined ? 'code-entry' : 'code-entry code-entry-invalid'}
          data-length={digits.length}
          aria-busy={isBusy || undefined}
        >
          {CELLS.map((cell) => (
            <span key={cell} className="code-cell" />
          ))}
          <input
            ref={input}
            className="code-input"
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="go"
            pattern="\D*(?:\d\D*){6,}"
            spellCheck={false}
            value={digits}
            readOnly={isBusy}
            onChange={({ currentTarget }) => take(currentTarget)}
            {...wiring}
          />
        </div>
      )}
    </Field>
  );
};

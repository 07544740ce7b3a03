import './code.css';
import { useEffect, useRef, useState } from 'react';
import { Field, type FieldProps, type NameIn } from './fields.tsx';
import { useFieldError } from './form.tsx';

const CELLS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** A digit of any script as an ASCII one: Unicode has the ten digits of each script one after the other. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
};

/** Finds the six digits in what is typed or pasted, such as `482 913` or `Shop24: your code is 482913`. */
const toDigits = (text: string): string => {
  const ascii = text.normalize('NFKC').replace(/\p{Nd}/gu, toAsciiDigit);
  const [code = ascii] = /(?<!\d)\d{3}[ -]?\d{3}(?!\d)/.exec(ascii) ?? [];
  return code.replace(/\D/g, '').slice(0, CELLS.length);
};

type CodeFieldProps<Fields extends object> = FieldProps<NameIn<Fields>> & {
  /** The code is being checked: the field keeps the focus, and nothing can be typed. */
  isBusy?: boolean;
  /** Digits that a link has filled in. They are not sent by themselves. */
  initial?: string;
  /** The hint below the field, from the second wrong code on. */
  hintWhenWrong?: string | undefined;
  /** Called once for each six digits that were typed or pasted. */
  onComplete?: (input: HTMLInputElement) => void;
};

/**
 * A code of six digits: one input over six drawn cells, so that pasting, autofill and screen readers work as in
 * any field. After an error, the digits of the field with the focus are selected, and
 * typing replaces them. An empty and a short code have the same sentence: with another one, the first digit that
 * is typed would be selected, and the second one would replace it.
 */
export const CodeField = <Fields extends object = object>({
  initial = '',
  isBusy = false,
  hintWhenWrong,
  onComplete,
  ...props
}: CodeFieldProps<Fields>) => {
  const [digits, setDigits] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  const error = useFieldError(props.name);
  const [wrong, setWrong] = useState({ error, count: 0 });
  if (wrong.error !== error) {
    const isWrong = error !== undefined && digits.length === CELLS.length;
    setWrong({ error, count: wrong.count + (isWrong ? 1 : 0) });
  }
  useEffect(() => {
    // `select` would take the focus from the first wrong field of the form.
    if (error !== undefined && input.current === document.activeElement) input.current?.select();
  }, [error]);
  const take = (control: HTMLInputElement): void => {
    const typed = toDigits(control.value);
    // Set here and not by the next rendering, because the form may be sent at once.
    control.value = typed;
    setDigits(typed);
    if (typed !== digits && typed.length === CELLS.length) onComplete?.(control);
  };
  return (
    <Field {...props} missing={props.missing ?? props.invalid} below={wrong.count > 1 && hintWhenWrong}>
      {(wiring) => (
        <div
          className={error === undefined ? 'code-entry' : 'code-entry code-entry-invalid'}
          data-length={digits.length}
          dir="ltr"
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
            pattern="\d{6}"
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

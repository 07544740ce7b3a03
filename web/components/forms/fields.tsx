import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { readDraft, saveDraft } from '../../session/drafts.ts';
import { FORM } from '../../words/form.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { AlertIcon, EyeIcon, EyeOffIcon } from '../form-icons.tsx';
import { useFieldError } from './form.tsx';
import { countCharacters, limitText } from './text-limit.ts';

/**
 * A field of a form whose mutation takes `Fields`, the values by their names. Fields and mutation are given the same
 * type (`<TextField<Fields> name="email">`), so that no misspelt name compiles. Without it, there is no valid name.
 */
export type NameIn<Fields extends object> = keyof NoInfer<Fields> & string;

export type FieldProps<Name extends string = string> = {
  name: Name;
  label: ReactNode;
  /** The text below the label, such as which characters are allowed. */
  hint?: ReactNode;
  /** An element below the control and its error, such as the strength of a password. */
  below?: ReactNode;
  /** An element at the right of the label, such as a link to reset the password; Tab reaches it after the control. */
  aside?: ReactNode;
  isOptional?: boolean;
  /** Says what to do without a value. */
  missing?: string | undefined;
  /** Says what to do if the browser finds the value invalid. */
  invalid?: string;
};

type Wiring = {
  id: string;
  name: string;
  required: boolean;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'data-missing': string | undefined;
  'data-invalid': string | undefined;
};

/** The label above, the error below and tied to the control. */
export const Field = ({
  name,
  label,
  hint,
  below,
  aside,
  isOptional = false,
  missing,
  invalid,
  count,
  children,
}: FieldProps & { count?: ReactNode; children: (wiring: Wiring) => ReactNode }) => {
  const words = useWords(FORM);
  const id = useId();
  const error = useFieldError(name);
  const describedBy = [
    hint && `${id}-hint`,
    count && `${id}-count`,
    error && `${id}-error`,
    below && `${id}-below`,
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label className="field-head" htmlFor={id}>
        {label} {isOptional && <span className="muted">{words.optional}</span>}
      </label>
      {hint && (
        <div id={`${id}-hint`} className="muted small">
          {hint}
        </div>
      )}
      {children({
        id,
        name,
        required: !isOptional,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error === undefined ? undefined : true,
        'data-missing': missing,
        'data-invalid': invalid,
      })}
      {aside && <div className="field-aside">{aside}</div>}
      {(error || count) && (
        <div className="field-foot">
          {error && (
            <div id={`${id}-error`} className="field-error">
              <AlertIcon />
              <span>{error}</span>
            </div>
          )}
          {count && (
            <div id={`${id}-count`} className="field-count">
              {count}
            </div>
          )}
        </div>
      )}
      {below && (
        <div id={`${id}-below`} className="field-below">
          {below}
        </div>
      )}
    </div>
  );
};

/** Separates the properties of the control from those of its label and error. */
const toControl = <Props extends FieldProps>({
  label,
  hint,
  below,
  aside,
  isOptional,
  missing,
  invalid,
  ...control
}: Props) => control;

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'name'>;

export const TextField = <Fields extends object = object>({
  maxLength,
  onInput,
  ...props
}: FieldProps<NameIn<Fields>> & Input) => (
  <Field {...props}>
    {(wiring) => (
      <input
        type="text"
        className="field-input"
        {...wiring}
        {...toControl(props)}
        onInput={(event) => {
          limitText(event.currentTarget, maxLength);
          onInput?.(event);
        }}
      />
    )}
  </Field>
);

/**
 * The password can be shown. Pasting works, and a password manager finds the field by `autoComplete`. It has no
 * `maxLength`, by which the browser would cut what is pasted, without a word; the platform says that it is too long.
 */
export const PasswordField = <Fields extends object = object>(
  props: FieldProps<NameIn<Fields>> & Omit<Input, 'maxLength'>,
) => {
  const words = useWords(FORM);
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const below = (
    <>
      {props.below}
      {hasCapsLock && <span className="field-hint muted small">{words.capsLock}</span>}
    </>
  );
  return (
    <Field {...props} below={(props.below || hasCapsLock) && below}>
      {(wiring) => (
        <div className="field-password">
          <input
            type={isShown ? 'text' : 'password'}
            className="field-input"
            spellCheck={false}
            autoCapitalize="off"
            onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
            onBlur={() => setCapsLock(false)}
            {...wiring}
            {...toControl(props)}
          />
          <button
            type="button"
            className="field-eye"
            aria-label={isShown ? words.hidePassword : words.showPassword}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        </div>
      )}
    </Field>
  );
};

type CheckBoxProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'checked' | 'onChange' | 'children' | 'aria-describedby'
>;

export const CheckBox = ({ children, ...control }: CheckBoxProps) => (
  <label className="field-check">
    <input type="checkbox" {...control} />
    {children}
  </label>
);

/** Tells password managers which account a password belongs to; not shown, and not sent. */
export const HiddenUsername = ({ email }: { email: string }) => (
  <input type="text" hidden autoComplete="username" value={email} readOnly />
);

type Select = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name'> & { options: Record<string, string> };

export const SelectField = <Fields extends object = object>({
  options,
  ...props
}: FieldProps<NameIn<Fields>> & Select) => (
  <Field {...props}>
    {(wiring) => (
      <select className="field-select" {...wiring} {...toControl(props)}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type TextArea = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name'> & {
  /** Keeps a long text in the tab until `saveDraft(draft, '')`. */
  draft?: string;
};

/** Takes a text of any length, counts it, and refuses what is more than `maxLength` characters. */
export const TextAreaField = <Fields extends object = object>({
  draft,
  defaultValue,
  maxLength,
  ...props
}: FieldProps<NameIn<Fields>> & TextArea) => {
  const words = useWords(FORM);
  const initial = (draft && readDraft(draft)) || defaultValue;
  const [length, setLength] = useState(() => countCharacters(String(props.value ?? initial ?? '')));
  return (
    <Field
      {...props}
      count={maxLength !== undefined && words.countOf(formatNumber(length), formatNumber(maxLength))}
    >
      {(wiring) => (
        <textarea
          // A draft may be too long before anything is typed.
          ref={(area) => limitText(area, maxLength)}
          className="field-area"
          rows={4}
          defaultValue={initial}
          onInput={({ currentTarget }) => {
            limitText(currentTarget, maxLength);
            setLength(countCharacters(currentTarget.value));
          }}
          onChange={({ currentTarget }) => draft && saveDraft(draft, currentTarget.value)}
          {...wiring}
          {...toControl(props)}
        />
      )}
    </Field>
  );
};

import { type ErrorCode, isPlatformError } from '@platform/client';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { fieldErrors, messageOf } from '../session/messages.ts';
import { COMMON } from '../words/common.ts';
import { getWords, useWords } from '../words/words.ts';
import { type Action, useAction } from './action.ts';
import { Button } from './button.tsx';
import { Countdown, useRetrySeconds } from './countdown.tsx';
import { useIsInDialog } from './dialog.tsx';
import { ErrorMessage, Notice } from './notice.tsx';
import { useUnsavedChanges } from './unsaved-changes.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Errors = Record<string, string>;
/** Reads a field of the form by its name. */
export type ReadField = (name: string) => string;

const FormErrors = createContext<Errors>({});
export const useFieldError = (name: string): string | undefined => useContext(FormErrors)[name];

const listControls = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (element): element is Control => 'willValidate' in element && 'name' in element && element.name !== '',
  );

/** The field's own sentence is in `data-invalid`, because the browser's sentences have its own language. */
const judge = (control: Control): string | undefined => {
  if (!control.willValidate || control.validity.valid) return undefined;
  const { fieldMissing } = getWords(COMMON);
  return control.validity.valueMissing
    ? fieldMissing
    : (control.dataset['invalid'] ?? control.validationMessage);
};

const judgeAll = (form: HTMLFormElement): Errors =>
  Object.fromEntries(
    listControls(form).flatMap((control) => {
      const error = judge(control);
      return error === undefined ? [] : [[control.name, error]];
    }),
  );

const findControl = (form: HTMLFormElement | null, errors: Errors): Control | undefined =>
  form ? listControls(form).find(({ name }) => errors[name] !== undefined) : undefined;

/** The fields that a code is about. The API names fields only for VALIDATION_FAILED and FACTOR_REQUIRED. */
const FIELDS_OF_CODES: Partial<Record<ErrorCode, readonly string[]>> = {
  CODE_INVALID: ['code'],
  CURRENT_PASSWORD_WRONG: ['currentPassword'],
  EMAIL_TAKEN: ['email', 'newEmail'],
  SECOND_FACTOR_INVALID: ['totpCode', 'recoveryCode', 'code'],
};

/** The API's errors of fields that the form has. */
const findFieldErrors = (form: HTMLFormElement | null, error: unknown): Errors => {
  const names = form ? listControls(form).map(({ name }) => name) : [];
  const ofCode = isPlatformError(error) ? (FIELDS_OF_CODES[error.code] ?? []) : [];
  const errors = [...Object.entries(fieldErrors(error)), ...ofCode.map((name) => [name, messageOf(error)])];
  return Object.fromEntries(errors.filter(([name = '']) => names.includes(name)));
};

/** More errors than this are listed above the form as well. */
const LISTED_ERRORS = 3;

const ErrorList = ({ form, errors }: { form: HTMLFormElement | null; errors: Errors }) => {
  const words = useWords(COMMON);
  const controls = form ? listControls(form).filter(({ name }) => errors[name] !== undefined) : [];
  if (controls.length <= LISTED_ERRORS) return null;
  return (
    <div className="notice notice-bad">
      <p className="strong">{words.errors(controls.length)}</p>
      <ul>
        {controls.map((control) => (
          <li key={control.name}>
            <button type="button" className="link" onClick={() => control.focus()}>
              {control.labels?.[0]?.textContent}: {errors[control.name]}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

const useFormErrors = (action: Action<[ReadField]>) => {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const { error } = action;
  useEffect(() => {
    if (error !== undefined) setErrors(findFieldErrors(form.current, error));
  }, [error]);
  // The first field with an error gets the focus when errors appear, not while they are corrected.
  const showErrors = (found: Errors): void => {
    setErrors(found);
    findControl(form.current, found)?.focus();
  };
  useEffect(() => {
    if (error !== undefined) findControl(form.current, findFieldErrors(form.current, error))?.focus();
  }, [error]);
  // Also after the person has corrected them, so that the error does not return above the form.
  const isInFields = Object.keys(findFieldErrors(form.current, error)).length > 0;
  return { form, errors, isInFields, showErrors, setErrors };
};

type FormProps = {
  children?: ReactNode;
  onSubmit: (read: ReadField) => Promise<unknown>;
  submit: ReactNode;
  /** Shown while the request takes longer: "Saving …". */
  submitting: ReactNode;
  look?: 'main' | 'danger';
  isWide?: boolean;
  /** Beside the button that submits, such as "Cancel". */
  buttons?: ReactNode;
  /** The next step after an error. */
  advice?: (error: unknown) => ReactNode;
  /** Asks before the page is left with changes that were not sent. */
  isGuarded?: boolean;
  /** Names the form if its page has several. */
  label?: string;
};

/**
 * A form that keeps what was typed, judges its fields when it is sent and then while they are corrected, and
 * sends once. Fields are ordinary named inputs, so that password managers work.
 */
export const Form = ({
  children,
  onSubmit,
  submit,
  submitting,
  look = 'main',
  isWide = false,
  buttons,
  advice,
  isGuarded = false,
  label,
}: FormProps) => {
  const action = useAction(onSubmit);
  const { form, errors, isInFields, showErrors, setErrors } = useFormErrors(action);
  const retrySeconds = useRetrySeconds(action.error);
  const isLimited = retrySeconds !== undefined && retrySeconds > 0;
  const nextStep = action.error !== undefined && advice?.(action.error);
  const [isChanged, setChanged] = useState(false);
  useUnsavedChanges(isGuarded && isChanged && !action.isBusy);
  const isInDialog = useIsInDialog();
  return (
    <FormErrors value={errors}>
      <form
        ref={form}
        className="stack form"
        aria-label={label}
        noValidate
        onInput={({ target }) => {
          setChanged(true);
          const { name } = target as Control;
          if (errors[name] === undefined) return;
          const { [name]: _corrected, ...others } = errors;
          const error = judge(target as Control);
          setErrors(error === undefined ? others : { ...errors, [name]: error });
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (action.isBusy || isLimited) return;
          const found = judgeAll(event.currentTarget);
          showErrors(found);
          if (Object.keys(found).length > 0) return action.clear();
          const values = new FormData(event.currentTarget);
          void action.run((name) => String(values.get(name) ?? '')).then((ok) => ok && setChanged(false));
        }}
      >
        {!(isInFields || retrySeconds === 0) && <ErrorMessage error={action.error}>{nextStep}</ErrorMessage>}
        {isInFields && nextStep && <Notice>{nextStep}</Notice>}
        <ErrorList form={form.current} errors={errors} />
        {children}
        <div className="stack-small">
          <div className={isInDialog ? 'row row-end' : 'row'}>
            {isInDialog && buttons}
            <Button
              type="submit"
              look={look}
              isWide={isWide}
              isBusy={action.isBusy}
              busyLabel={submitting}
              isUnavailable={isLimited}
            >
              {submit}
            </Button>
            {!isInDialog && buttons}
          </div>
          {retrySeconds !== undefined && <Countdown seconds={retrySeconds} />}
        </div>
      </form>
    </FormErrors>
  );
};

import { type ErrorCode, isPlatformError } from '@platform/client';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { useUnsaved } from '../../session/drafts.ts';
import { fieldErrors, messageOf } from '../../session/messages.ts';
import { FORM } from '../../words/form.ts';
import { getWords, useWords } from '../../words/words.ts';
import { useRetrySeconds } from '../countdown.tsx';
import { InDialog } from '../dialogs/in-dialog.ts';
import { ErrorMessage, Notice } from '../notice.tsx';
import { type FormButtons, FormFoot } from './form-foot.tsx';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** The sentence below each wrong field. */
export type FieldErrors = Record<string, ReactNode>;

const FormErrors = createContext<FieldErrors>({});
export const useFieldError = (name: string): ReactNode => useContext(FormErrors)[name];

const listControls = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (element): element is Control => 'willValidate' in element && 'name' in element && element.name !== '',
  );

/** The field's own sentence is in `data-invalid`, because the browser's sentences have its own language. */
const judge = (control: Control): string | undefined => {
  if (!control.willValidate || control.validity.valid) return undefined;
  const { fieldMissing } = getWords(FORM);
  return control.validity.valueMissing
    ? (control.dataset['missing'] ?? fieldMissing)
    : (control.dataset['invalid'] ?? control.validationMessage);
};

const judgeAll = (form: HTMLFormElement): FieldErrors =>
  Object.fromEntries(
    listControls(form).flatMap((control) => {
      const error = judge(control);
      return error === undefined ? [] : [[control.name, error]];
    }),
  );

/** The fields that a code is about. The API names fields only for VALIDATION_FAILED and FACTOR_REQUIRED. */
const FIELDS_OF_CODES: Partial<Record<ErrorCode, readonly string[]>> = {
  CODE_INVALID: ['code'],
  CURRENT_PASSWORD_WRONG: ['currentPassword'],
  EMAIL_TAKEN: ['email', 'newEmail'],
  SECOND_FACTOR_INVALID: ['totpCode', 'recoveryCode', 'code'],
};

/** Finds the errors of the API that name a field of this form. */
const findFieldErrors = (
  form: HTMLFormElement | null,
  error: unknown,
  own: FieldErrors | undefined = {},
): FieldErrors => {
  const names = form ? listControls(form).map(({ name }) => name) : [];
  const ofCode = isPlatformError(error) ? (FIELDS_OF_CODES[error.code] ?? []) : [];
  const found = {
    ...fieldErrors(error),
    ...Object.fromEntries(ofCode.map((name) => [name, messageOf(error)])),
    ...own,
  };
  return Object.fromEntries(Object.entries(found).filter(([name]) => names.includes(name)));
};

/** More errors than this are listed above the form as well. */
const LISTED_ERRORS = 3;

type Listed = { name: string; label: string };
type ErrorListProps = { fields: readonly Listed[]; errors: FieldErrors; onChoose: (name: string) => void };

const ErrorList = ({ fields, errors, onChoose }: ErrorListProps) => {
  const words = useWords(FORM);
  const wrong = fields.filter(({ name }) => errors[name] !== undefined);
  if (wrong.length <= LISTED_ERRORS) return null;
  return (
    <div className="notice notice-bad">
      <p className="strong">{words.errors(wrong.length)}</p>
      <ul>
        {wrong.map(({ name, label }) => (
          <li key={name}>
            <button type="button" className="link" onClick={() => onChoose(name)}>
              {label}: {errors[name]}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

const useFormErrors = () => {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [fields, setFields] = useState<readonly Listed[]>([]);
  const list = (): Control[] => (form.current ? listControls(form.current) : []);
  const focus = (isMeant: (control: Control) => boolean): void => list().find(isMeant)?.focus();
  // The first field with an error gets the focus when errors appear, not while they are corrected.
  const showErrors = (found: FieldErrors): void => {
    setErrors(found);
    setFields(list().map(({ name, labels }) => ({ name, label: labels?.[0]?.textContent ?? '' })));
    focus(({ name }) => found[name] !== undefined);
  };
  return {
    form,
    errors,
    fields,
    showErrors,
    setErrors,
    focusField: (name: string) => focus((control) => control.name === name),
  };
};

/** The part of `useMutation` that a form needs. Its variables are the values of the fields, by their names. */
export type FormMutation = {
  mutate: (values: never, callbacks?: { onSuccess?: () => void; onError?: (error: unknown) => void }) => void;
  isPending: boolean;
  error: unknown;
  reset: () => void;
};

type FormProps = FormButtons & {
  children?: ReactNode;
  mutation: FormMutation;
  /** Called after the `onSuccess` of the mutation itself. */
  onSuccess?: () => void;
  onError?: (error: unknown) => void;
  /** The next step after an error. */
  advice?: (error: unknown) => ReactNode;
  /** The sentence for an error, in place of the platform's own one. */
  sentenceOf?: (error: unknown) => ReactNode;
  /** The sentences below fields after an error, in place of the platform's own one. */
  fieldErrorsOf?: (error: unknown) => FieldErrors | undefined;
};

/**
 * A form that keeps what was typed, judges its fields when it is sent and then while they are corrected, and
 * sends once. Fields are ordinary named inputs, so that password managers work.
 */
export const Form = ({
  children,
  mutation,
  onSuccess,
  onError,
  advice,
  sentenceOf,
  fieldErrorsOf,
  ...buttons
}: FormProps) => {
  const { isPending, error } = mutation;
  const { form, errors, fields, showErrors, setErrors, focusField } = useFormErrors();
  // Also after the person has corrected them, so that the error does not return above the form.
  const [isInFields, setInFields] = useState(false);
  const retrySeconds = useRetrySeconds(error);
  const isLimited = retrySeconds !== undefined && retrySeconds > 0;
  const nextStep = error != null && advice?.(error);
  const [isChanged, setChanged] = useState(false);
  useUnsaved(isChanged);
  const dialog = useContext(InDialog);
  const send = (values: FormData): void => {
    mutation.mutate(Object.fromEntries(values) as never, {
      onSuccess: () => {
        setChanged(false);
        mutation.reset();
        onSuccess?.();
      },
      onError: (failure) => {
        const found = findFieldErrors(form.current, failure, fieldErrorsOf?.(failure));
        setInFields(Object.keys(found).length > 0);
        showErrors(found);
        onError?.(failure);
      },
    });
  };
  return (
    <FormErrors value={errors}>
      <form
        ref={form}
        className="stack form"
        noValidate
        onKeyDown={(event) => {
          const isText = event.target instanceof HTMLTextAreaElement && buttons.look !== 'danger';
          if (isText && event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.requestSubmit();
        }}
        onInput={({ target }) => {
          setChanged(true);
          const { name } = target as Control;
          if (errors[name] === undefined) return;
          const { [name]: _corrected, ...others } = errors;
          // An error of the platform is about the value that was sent.
          const stillWrong = isInFields ? undefined : judge(target as Control);
          setErrors(stillWrong === undefined ? others : { ...errors, [name]: stillWrong });
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending || isLimited) return;
          const found = judgeAll(event.currentTarget);
          setInFields(false);
          showErrors(found);
          if (Object.keys(found).length > 0) mutation.reset();
          else send(new FormData(event.currentTarget, event.nativeEvent.submitter));
        }}
      >
        {!(isInFields || retrySeconds === 0) && (
          <ErrorMessage error={error} sentence={sentenceOf?.(error)} saysOffline>
            {nextStep}
          </ErrorMessage>
        )}
        {isPending && dialog?.whilePending}
        {isInFields && nextStep && <Notice>{nextStep}</Notice>}
        <ErrorList fields={fields} errors={errors} onChoose={focusField} />
        {children}
        <FormFoot {...buttons} isPending={isPending} retrySeconds={retrySeconds} />
      </form>
    </FormErrors>
  );
};

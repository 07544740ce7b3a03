import { type MutationMeta, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { useIsSlow } from '../waiting.tsx';
import { CodeField } from './code-field.tsx';
import { type FieldErrors, Form } from './form.tsx';
import type { FormButtons } from './form-foot.tsx';

type Fields = { code?: string; totpCode?: string };

export type CodeFormProps<Result> = {
  name?: keyof Fields;
  label: string;
  /** The error for fewer than six digits. */
  missing: string;
  /** Digits that a link has filled in, which wait for the button. */
  linked?: string | undefined;
  /** @param more the values of the `children` */
  onCode: (code: string, more: never) => Promise<Result>;
  /** Called with what `onCode` has returned, once the queries of `meta` have loaded again. */
  onDone?: ((result: Result) => void) | undefined;
  onError?: ((error: unknown) => void) | undefined;
  /** The sentence for a wrong code. Other errors stand above the field. */
  wrong: (error: unknown) => string | undefined;
  /** The hint below the field, from the second wrong code on. */
  hintWhenWrong?: string;
  /** The queries that the right code changes. */
  meta?: MutationMeta;
  /** Further fields after the code, which then leads to them and sends nothing; `buttons` send the form. */
  children?: ReactNode;
  buttons?: FormButtons;
};

const Checking = ({ isBusy }: { isBusy: boolean }) => {
  const words = useWords(COMMON);
  const isSlow = useIsSlow(isBusy);
  return (
    <span role="status" className="muted small">
      {isSlow && words.checking}
    </span>
  );
};

const focusPassword = ({ form }: HTMLInputElement): void =>
  form?.querySelector<HTMLInputElement>('.field-password input')?.focus();

/** A code of six digits that sends itself; Enter sends it, too. Used for mailed codes and those of an app. */
export const CodeForm = <Result,>({
  name = 'code',
  label,
  missing,
  linked,
  onCode,
  onDone,
  onError,
  wrong,
  hintWhenWrong,
  meta,
  children,
  buttons,
}: CodeFormProps<Result>) => {
  const words = useWords(COMMON);
  const check = useMutation({
    mutationFn: (fields: Fields) => onCode(fields[name] ?? '', fields as never),
    onSuccess: (result) => onDone?.(result),
    ...(meta && { meta }),
  });
  // The digits may be right. A button sends them again, because a phone's keypad has no Enter key.
  const [hasFailed, setFailed] = useState(false);
  const toFieldErrors = (error: unknown): FieldErrors => {
    const sentence = wrong(error);
    return sentence === undefined ? {} : { [name]: sentence };
  };
  return (
    <Form
      isWide
      {...((linked || hasFailed) && { submit: words.next, submitting: words.checking })}
      {...buttons}
      mutation={check}
      fieldErrorsOf={toFieldErrors}
      onError={(error) => {
        setFailed(wrong(error) === undefined);
        onError?.(error);
      }}
    >
      <CodeField<Fields>
        name={name}
        label={label}
        invalid={missing}
        hintWhenWrong={hintWhenWrong}
        initial={linked ?? ''}
        aside={!children && <Checking isBusy={check.isPending} />}
        isBusy={!children && check.isPending}
        onComplete={children ? focusPassword : (input) => input.form?.requestSubmit()}
      />
      {children}
    </Form>
  );
};

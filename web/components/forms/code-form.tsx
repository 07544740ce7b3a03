import { type MutationMeta, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { useIsSlow } from '../waiting.tsx';
import { CodeField } from './code-field.tsx';
import { type FieldErrors, Form } from './form.tsx';

type Fields = { code?: string; totpCode?: string };

type CodeFormProps = {
  name?: keyof Fields;
  label: string;
  /** The error for fewer than six digits. */
  missing: string;
  /** Digits that a link has filled in, which wait for the button. */
  linked?: string | undefined;
  onCode: (code: string) => Promise<unknown>;
  onError?: ((error: unknown) => void) | undefined;
  /** The sentence for a wrong code. Other errors stand above the field. */
  wrong: (error: unknown) => string | undefined;
  /** The hint below the field, from the second wrong code on. */
  hintWhenWrong?: string;
  meta?: MutationMeta;
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

/** A code of six digits that sends itself; Enter sends it, too. Used for mailed codes and those of an app. */
export const CodeForm = ({
  name = 'code',
  label,
  missing,
  linked,
  onCode,
  onError,
  wrong,
  hintWhenWrong,
  meta,
}: CodeFormProps) => {
  const words = useWords(COMMON);
  const check = useMutation({
    mutationFn: (fields: Fields) => onCode(fields[name] ?? ''),
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
      {...((linked || hasFailed) && { submit: words.next, submitting: words.checking, isWide: true })}
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
        aside={<Checking isBusy={check.isPending} />}
        isBusy={check.isPending}
        onComplete={(input) => input.form?.requestSubmit()}
      />
    </Form>
  );
};

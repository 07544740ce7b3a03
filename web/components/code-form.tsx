import { type MutationMeta, useMutation } from '@tanstack/react-query';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { CodeField, toDigits } from './code-field.tsx';
import { type FieldErrors, Form, type ReadField } from './form.tsx';
import { useIsSlow } from './waiting.tsx';

type CodeFormProps = {
  label: string;
  /** Said for fewer than six digits. */
  missing: string;
  onCode: (code: string) => Promise<unknown>;
  onError?: ((error: unknown) => void) | undefined;
  /** The sentence for a wrong code. Other errors stand above the field. */
  wrong: (error: unknown) => string | undefined;
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
export const CodeForm = ({ label, missing, onCode, onError, wrong, meta }: CodeFormProps) => {
  const check = useMutation({
    mutationFn: (read: ReadField) => onCode(toDigits(read('code'))),
    ...(meta && { meta }),
  });
  const toFieldErrors = (error: unknown): FieldErrors => {
    const sentence = wrong(error);
    return sentence === undefined ? {} : { code: sentence };
  };
  return (
    <Form mutation={check} fieldErrorsOf={toFieldErrors} {...(onError && { onError })}>
      <CodeField
        name="code"
        label={label}
        invalid={missing}
        aside={<Checking isBusy={check.isPending} />}
        isBusy={check.isPending}
        onComplete={(input) => input.form?.requestSubmit()}
      />
    </Form>
  );
};

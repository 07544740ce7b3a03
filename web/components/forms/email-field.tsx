import { type ComponentProps, Suspense, useState } from 'react';
import { SIGNING_IN } from '../../words/signing-in.ts';
import { useWords } from '../../words/words.ts';
import { lazyComponent } from '../lazy-component.ts';
import { TextField } from './fields.tsx';

const AddressSuggestion = lazyComponent(() => import('./address-suggestion.tsx'), 'AddressSuggestion');

/** A suggestion that appears as soon as the field is left would move the button that somebody is pressing. */
const PRESS_MILLISECONDS = 300;

type EmailFieldProps<Fields extends object> = Omit<ComponentProps<typeof TextField<Fields>>, 'label'> & {
  label?: string;
};

/** An address of a person. A well-known host that was mistyped is suggested. */
export const EmailField = <Fields extends object = object>({
  onInput,
  onBlur,
  ...props
}: EmailFieldProps<Fields>) => {
  const words = useWords(SIGNING_IN);
  const [left, setLeft] = useState<{ input: HTMLInputElement; typed: string }>();
  return (
    <TextField<Fields>
      type="email"
      label={words.email}
      autoCapitalize="none"
      spellCheck={false}
      missing={words.emailMissing}
      invalid={words.emailInvalid}
      // At most 64 characters as on the platform, and a host with a dot, which `type` does not ask for.
      pattern="\s*[^@]{1,64}@.+\.[^.]+"
      below={
        left && (
          <Suspense>
            <AddressSuggestion {...left} />
          </Suspense>
        )
      }
      {...props}
      onInput={(event) => {
        setLeft(undefined);
        onInput?.(event);
      }}
      onBlur={(event) => {
        const { currentTarget: input } = event;
        setTimeout(() => setLeft({ input, typed: input.value }), PRESS_MILLISECONDS);
        onBlur?.(event);
      }}
    />
  );
};

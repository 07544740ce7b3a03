import type { ComponentProps } from 'react';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { TextField } from './fields.tsx';

/** The address of somebody who signs in or up. */
export const EmailField = (props: Omit<ComponentProps<typeof TextField>, 'name' | 'label'>) => {
  const words = useWords(SIGNING_IN);
  return (
    <TextField
      name="email"
      type="email"
      label={words.email}
      autoCapitalize="none"
      spellCheck={false}
      missing={words.emailMissing}
      invalid={words.emailInvalid}
      {...props}
    />
  );
};

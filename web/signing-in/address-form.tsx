import { useMutation } from '@tanstack/react-query';
import { EmailField } from '../components/forms/email-field.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { useWords } from '../words/words.ts';
import { MAILED_CODE } from './mailed-code-words.ts';

type Fields = { email: string };
type AddressFormProps = { email: string; onEmail: (email: string) => unknown };

/** Asks for the address to which a code is mailed. */
export const AddressForm = ({ email, onEmail }: AddressFormProps) => {
  const words = useWords(MAILED_CODE);
  const send = useMutation({ mutationFn: async (fields: Fields) => onEmail(fields.email.trim()) });
  useStepFocus('address');
  return (
    <>
      <p className="lead">{words.lead}</p>
      <Form submit={words.sendCode} submitting={words.sending} isWide mutation={send}>
        <EmailField<Fields> name="email" autoComplete="username" defaultValue={email} />
      </Form>
    </>
  );
};

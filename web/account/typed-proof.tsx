import { useState } from 'react';
import { Form, type FormMutation } from '../components/forms/form.tsx';
import { type Proof, type ProofFields, useProof } from '../own-account/proof.tsx';
import { useSignedIn } from '../session/session-gate.tsx';
import { hasTypedPassword, takeTypedPassword } from '../signing-in/typed-password.ts';

/** Proves the account by the password that has just signed in, once, and asks for a proof if there is none. */
export const useTypedProof = () => {
  const { user } = useSignedIn();
  const proof = useProof();
  const [isProven, setProven] = useState(() => hasTypedPassword(user.email));
  return {
    ...proof,
    fields: !isProven && proof.fields,
    isProven,
    /** To be called when the password may have been used or deleted. */
    update: () => setProven(hasTypedPassword(user.email)),
    read: async (fields: ProofFields) => {
      const currentPassword = takeTypedPassword(user.email);
      return currentPassword === undefined ? await proof.read(fields) : { currentPassword };
    },
  };
};

type ProofFormProps = { proof: Proof; mutation: FormMutation; submit: string; submitting: string };

/** A form that asks for nothing but the proof. */
export const ProofForm = ({ proof: { fields, advice, fieldErrorsOf }, ...form }: ProofFormProps) => (
  <Form {...form} isWide advice={advice} fieldErrorsOf={fieldErrorsOf}>
    {fields}
  </Form>
);

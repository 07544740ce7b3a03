import { isPlatformError } from '@platform/client';
import { proveIdentity } from '@platform/client/account';
import { confirmWithPasskey, isPasskeyAvailable } from '@platform/client/passkeys';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { CancelButton, Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/forms/form.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { type ProofFields, useProof } from '../../own-account/proof.tsx';
import { useIdentities, useSecondFactor } from '../../own-account/queries.ts';
import { OWN_ACCOUNT } from '../../own-account/words.ts';
import { useSignedIn } from '../../session/session-gate.tsx';
import { SECOND_STEP } from '../../signing-in/second-step-words.ts';

import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { RECENT_PROOF } from './recent-proof-words.ts';

type ProofProps = { onAnswer: (isProved: boolean) => void };

/** A passkey alone is enough, because its authenticator verifies the person. */
const PasskeyProof = ({ onAnswer }: ProofProps) => {
  const words = useWords(SECOND_STEP);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => proveIdentity(backOffice, await confirmWithPasskey(backOffice)),
    onSuccess: () => onAnswer(true),
  });
  return (
    <div className="stack-small">
      <ErrorNotice error={error} />
      <Button isWide isBusy={isPending} busyLabel={words.confirming} onClick={() => mutate()}>
        {words.confirmWithPasskey}
      </Button>
    </div>
  );
};

/** An account without a password and a factor signs in again, which is a proof, too. */
const SignInInstead = ({ onAnswer }: ProofProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { signInAgain } = useSignedIn();
  return (
    <Button look="link" onClick={() => void signInAgain().then(() => onAnswer(true))}>
      {words.signInAgain}
    </Button>
  );
};

/** Opens over the action that waits for it, which goes on afterwards with what was typed. */
export const ProofDialog = ({ onAnswer }: ProofProps) => {
  const words = useWords(RECENT_PROOF);
  const proof = useProof({ wantsFactor: true });
  const cancel = () => onAnswer(false);
  const factors = useSecondFactor();
  const identities = useIdentities();
  const prove = useMutation({
    mutationFn: async (fields: ProofFields) => proveIdentity(backOffice, await proof.read(fields)),
    onSuccess: () => onAnswer(true),
  });
  // The fields depend on both, and the first one gets the focus.
  if (factors.isPending || identities.isPending) return null;
  const hasPasskey = (factors.data?.passkeys ?? []).length > 0 && isPasskeyAvailable();
  return (
    <Dialog title={words.title} isOpen onClose={cancel}>
      <p>{words.text}</p>
      {hasPasskey && <PasskeyProof onAnswer={onAnswer} />}
      <Form
        submit={words.confirm}
        submitting={words.confirming}
        buttons={<CancelButton onClick={cancel} />}
        advice={(error) =>
          isPlatformError(error, 'REAUTHENTICATION_REQUIRED') && <SignInInstead onAnswer={onAnswer} />
        }
        mutation={prove}
      >
        {proof.fields}
      </Form>
    </Dialog>
  );
};

import { isPlatformError } from '@platform/client';
import { changeEmail, confirmEmailChange } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Clock, useSecondsLeft } from '../components/countdown.tsx';
import { CancelButton, Dialog } from '../components/dialogs/dialog.tsx';
import { EmailField } from '../components/forms/email-field.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { Notice } from '../components/notice.tsx';
import { useSayStatus } from '../components/status.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { CodeStep } from '../signing-in/code-step.tsx';
import { useWords } from '../words/words.ts';
import { type ProofFields, useProof } from './proof.tsx';
import { ACCOUNT_CHANGE, type Pending, usePendingEmail } from './queries.ts';
import { VerifyStep } from './verify-step.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** Says when another code for the same address can be sent; one for another address is sent at once. */
const LockedNotice = ({ locked: { newEmail, resendAt } }: { locked: Pending }) => {
  const words = useWords(OWN_ACCOUNT);
  const seconds = useSecondsLeft(resendAt);
  return seconds > 0 ? (
    <Notice look="warn">
      <Clock seconds={seconds} sentence={(time) => words.pendingLocked(newEmail, time)} />
    </Notice>
  ) : null;
};

type AddressFields = ProofFields & { newEmail: string };

type AddressStepProps = {
  email: string;
  onSent: (pending: Pending) => void;
  onCancel: () => void;
};

/** The step that asks for the new address and the proof. */
const AddressStep = ({ email, onSent, onCancel }: AddressStepProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  const pending = usePendingEmail().data;
  const [locked, setLocked] = useState<Pending>();
  useStepFocus('address');
  const send = useMutation({
    mutationFn: async (fields: AddressFields): Promise<Pending> => {
      const newEmail = fields.newEmail.trim().toLowerCase();
      const toTime = (seconds: number) => Date.now() + seconds * 1_000;
      return changeEmail(client, { newEmail, ...(await proof.read(fields)) }).then(
        (sent) => ({ newEmail: sent.newEmail, resendAt: toTime(sent.resendIn), isEarlier: false }),
        (error: unknown) => {
          if (!isPlatformError(error, 'RESEND_LOCKED')) throw error;
          return { newEmail, resendAt: toTime(error.retryAfterSeconds ?? 120), isEarlier: true };
        },
      );
    },
    onMutate: () => setLocked(undefined),
    onSuccess: (sent) => {
      // An earlier code for this address is valid only while the change to it is pending.
      if (!sent.isEarlier || pending?.newEmail === sent.newEmail) onSent(sent);
      else setLocked(sent);
    },
    meta: ACCOUNT_CHANGE,
  });
  return (
    <>
      <div role="alert">{locked && <LockedNotice key={locked.resendAt} locked={locked} />}</div>
      <Form
        submit={words.sendCode}
        submitting={words.sending}
        buttons={<CancelButton onClick={onCancel} />}
        {...proof.form}
        mutation={send}
      >
        <EmailField<AddressFields>
          name="newEmail"
          label={words.newEmail}
          autoComplete="email"
          maxLength={254}
          missing={words.newEmailMissing}
          defaultValue={email}
        />
        {proof.fields}
      </Form>
    </>
  );
};

type ConfirmStepProps = { pending: Pending; onChangeAddress: () => void; onDone: () => void };

/**
 * The step of the code. It shows the address that the platform has, not the typed one. To send another code, the
 * platform asks for the proof again.
 */
const ConfirmStep = ({ pending, onChangeAddress, onDone }: ConfirmStepProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const say = useSayStatus();
  return (
    <>
      <CodeStep
        code={{
          purpose: 'email-change',
          email: pending.newEmail,
          resendAt: pending.resendAt,
          isEarlier: pending.isEarlier,
          isSending: false,
          error: null,
          isResent: false,
          round: 0,
          resend: onChangeAddress,
        }}
        sentence={words.sentTo}
        onCode={(code) => confirmEmailChange(client, code)}
        onDone={({ email }) => {
          say(words.emailChanged(email));
          onDone();
        }}
        onChangeAddress={onChangeAddress}
        meta={ACCOUNT_CHANGE}
      />
      <p className="muted small">{words.pendingNote(user.email)}</p>
    </>
  );
};

type Step = { name: 'verify' } | { name: 'address'; email: string } | { name: 'confirm'; pending: Pending };

/**
 * The dialog that verifies or changes the address. It is one dialog for both steps, because a second one that opens
 * while the first one leaves the history would leave it, too.
 */
export const useEmailDialog = () => {
  const words = useWords(OWN_ACCOUNT);
  const [step, setStep] = useState<Step>();
  // The verification is announced at the top of the page, where the banner was; a new address in its own row.
  const say = useSayStatus();
  const close = () => setStep(undefined);
  const titles = { verify: words.bannerTitle, address: words.changeEmail, confirm: words.pendingTitle };
  const dialog = (
    <Dialog
      title={titles[step?.name ?? 'address']}
      lead={step?.name === 'address' && words.changeEmailHint}
      isOpen={step !== undefined}
      onClose={close}
    >
      {step?.name === 'verify' && (
        <VerifyStep
          onChangeAddress={() => setStep({ name: 'address', email: '' })}
          onDone={() => {
            say(words.verifiedNow);
            close();
          }}
        />
      )}
      {step?.name === 'address' && (
        <AddressStep
          email={step.email}
          onSent={(pending) => setStep({ name: 'confirm', pending })}
          onCancel={close}
        />
      )}
      {step?.name === 'confirm' && (
        <ConfirmStep
          pending={step.pending}
          onChangeAddress={() => setStep({ name: 'address', email: step.pending.newEmail })}
          onDone={close}
        />
      )}
    </Dialog>
  );
  return {
    dialog,
    verify: () => setStep({ name: 'verify' }),
    change: () => setStep({ name: 'address', email: '' }),
    confirm: (pending: Pending) => setStep({ name: 'confirm', pending }),
  };
};

export type EmailDialog = ReturnType<typeof useEmailDialog>;

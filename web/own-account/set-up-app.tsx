import { isPlatformError } from '@platform/client';
import { confirmTotp, setUpTotp } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import { CancelButton, Dialog } from '../components/dialogs/dialog.tsx';
import type { DialogState } from '../components/forms/action-dialog.tsx';
import { CodeForm } from '../components/forms/code-form.tsx';
import { Form } from '../components/forms/form.tsx';
import { ExternalIcon } from '../components/icons.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { useSayStatus } from '../components/status.tsx';
import { usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { type ProofFields, useProof } from './proof.tsx';
import { QrCode } from './qr-code.tsx';
import { ACCOUNT_CHANGE } from './queries.ts';
import { useRecoveryCodes } from './recovery-codes.tsx';
import { OWN_ACCOUNT } from './words.ts';

type Secret = { secret: string; otpauthUrl: string };

/** Groups of four characters are easier to type. */
const toGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

type PasswordPartProps = { onSecret: (secret: Secret) => void; onCancel: () => void };

const PasswordPart = ({ onSecret, onCancel }: PasswordPartProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  const setUp = useMutation({
    mutationFn: async (fields: ProofFields) => setUpTotp(client, await proof.read(fields)),
    onSuccess: (secret) => onSecret(secret),
  });
  return (
    <Form
      submit={words.setUp}
      submitting={words.settingUp}
      buttons={<CancelButton onClick={onCancel} />}
      {...proof.form}
      mutation={setUp}
    >
      {proof.fields}
    </Form>
  );
};

type ScanPartProps = { secret: Secret; onDone: (codes: string[]) => void };

/** On a phone, the code would stand on the screen that should scan it, so the app opens by a link. */
const ScanPart = ({ secret: { secret, otpauthUrl }, onDone }: ScanPartProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  return (
    <>
      <p className="lead enrolment-wide-only">{words.scan}</p>
      <p className="lead enrolment-narrow-only">{words.scanOnPhone}</p>
      <a className="button button-main button-wide enrolment-narrow-only" href={otpauthUrl}>
        <ExternalIcon />
        {words.openInApp}
      </a>
      <QrCode text={otpauthUrl} label={words.qrCode} />
      <div className="field">
        <span className="enrolment-label">{words.orKey}</span>
        <div className="enrolment-copy-box">
          <span className="enrolment-secret">{toGroups(secret)}</span>
          <CopyButton text={secret} label={words.key} />
        </div>
      </div>
      <CodeForm
        label={words.thenCode}
        missing={words.appCodeMissing}
        hintWhenWrong={words.appClock}
        onCode={(code) => confirmTotp(client, code)}
        onDone={onDone}
        wrong={(error) =>
          isPlatformError(error, 'SECOND_FACTOR_INVALID', 'CODE_INVALID') ? words.appCodeWrong : undefined
        }
        meta={ACCOUNT_CHANGE}
      />
    </>
  );
};

/** Sets up an app: the password, then QR code, key and the first code of the app, then the recovery codes. */
export const SetUpApp = ({ isOpen, onClose }: DialogState) => {
  const words = useWords(OWN_ACCOUNT);
  const [secret, setSecret] = useState<Secret>();
  const say = useSayStatus();
  const codes = useRecoveryCodes();
  useStepFocus([isOpen, secret].map(Boolean).join());
  const close = (): void => {
    setSecret(undefined);
    onClose();
  };
  const finish = (created: string[]): void => {
    // The platform creates no new recovery codes if the second step was due before.
    if (created.length > 0) codes.show(created, () => say(words.appOnNow));
    else say(words.appOnNow);
    close();
  };
  return (
    <Dialog title={words.setUpApp} lead={!secret && words.setUpAppHint} isOpen={isOpen} onClose={close}>
      {isOpen && !secret && <PasswordPart onSecret={setSecret} onCancel={close} />}
      {secret && <ScanPart secret={secret} onDone={finish} />}
    </Dialog>
  );
};

import { confirmTotp, removeTotp, setUpTotp } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CardRow } from '../components/card.tsx';
import { CodeField, toDigits } from '../components/code-field.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { CancelButton, Dialog } from '../components/dialog.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { useSayStatus } from '../components/status.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { useProof } from './proof.tsx';
import { QrCode } from './qr-code.tsx';
import { ACCOUNT_CHANGE, useSecondFactor } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type Secret = { secret: string; otpauthUrl: string };

/** Groups of four characters are easier to type. */
const toGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

const PasswordPart = ({
  onSecret,
  onCancel,
}: {
  onSecret: (secret: Secret) => void;
  onCancel: () => void;
}) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  const setUp = useMutation({
    mutationFn: async (read: ReadField) => setUpTotp(client, await proof.read(read)),
    onSuccess: (secret) => onSecret(secret),
  });
  return (
    <>
      <p>{words.setUpAppHint}</p>
      <Form
        submit={words.setUp}
        submitting={words.settingUp}
        buttons={<CancelButton onClick={onCancel} />}
        advice={proof.advice}
        mutation={setUp}
      >
        {proof.fields}
      </Form>
    </>
  );
};

type ScanPartProps = { secret: Secret; onCodes: (codes: string[]) => void; onCancel: () => void };

const ScanPart = ({ secret: { secret, otpauthUrl }, onCodes, onCancel }: ScanPartProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  // The caller shows the codes before the row knows that the app is on.
  const turnOn = useMutation({
    mutationFn: async (read: ReadField) => onCodes(await confirmTotp(client, toDigits(read('code')))),
    meta: ACCOUNT_CHANGE,
  });
  return (
    <>
      <p>{words.scan}</p>
      <QrCode text={otpauthUrl} label={words.qrCode} />
      <p className="small">
        {words.cannotScan} <span className="code">{toGroups(secret)}</span> <CopyButton text={secret} />
      </p>
      <Form
        submit={words.turnOn}
        submitting={words.turningOn}
        buttons={<CancelButton onClick={onCancel} />}
        mutation={turnOn}
      >
        <CodeField name="code" label={words.appCode} invalid={words.appCodeInvalid} />
      </Form>
    </>
  );
};

/** Password, QR code with the first code of the app, then the caller shows the recovery codes. */
export const SetUpApp = ({ onCodes }: { onCodes: (codes: string[]) => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  useStepFocus([isOpen, secret].map(Boolean).join());
  const cancel = (): void => {
    setOpen(false);
    setSecret(undefined);
  };
  const say = useSayStatus();
  const finish = (codes: string[]): void => {
    cancel();
    // There are none if the second step was due before.
    if (codes.length > 0) onCodes(codes);
    else say(words.appOn);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.setUp}</Button>
      <Dialog title={words.setUpApp} isOpen={isOpen} onClose={cancel}>
        {isOpen && !secret && <PasswordPart onSecret={setSecret} onCancel={cancel} />}
        {secret && <ScanPart secret={secret} onCodes={finish} onCancel={cancel} />}
      </Dialog>
    </>
  );
};

type FirstCodesProps = { codes: string[] | undefined; onSaved: () => void };

/** Apart from SetUpApp, which disappears as soon as the app is known to be on, and the codes with it. */
export const FirstCodes = ({ codes, onSaved }: FirstCodesProps) => {
  const words = useWords(OWN_ACCOUNT);
  const say = useSayStatus();
  const finish = (): void => {
    onSaved();
    say(words.secondStepOn);
  };
  return <RecoveryCodes codes={codes} onSaved={finish} />;
};

const RemoveApp = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  return (
    <AccountAction
      button={words.removeApp}
      buttonLook="danger-quiet"
      title={words.removeAppQuestion}
      text={words.removeAppHint}
      submit={words.removeApp}
      submitting={words.removingApp}
      isDanger
      proof={proof}
      onSubmit={async (read) => removeTotp(client, await proof.read(read))}
      done={() => words.appRemoved}
    />
  );
};

export const AppRow = () => {
  const words = useWords(OWN_ACCOUNT);
  const { data } = useSecondFactor();
  const [codes, setCodes] = useState<string[]>();
  if (!data) return <CardRow>{words.app}</CardRow>;
  const { totp } = data;
  return (
    <CardRow button={!totp && <SetUpApp onCodes={setCodes} />}>
      {words.app} {totp && <Badge look="ok">{words.on}</Badge>}
      {totp ? (
        <div className="row row-actions">
          <RemoveApp />
        </div>
      ) : (
        <div className="muted small">{words.appOff}</div>
      )}
      <FirstCodes codes={codes} onSaved={() => setCodes(undefined)} />
    </CardRow>
  );
};

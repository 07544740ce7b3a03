import { replaceRecoveryCodes, switchSecondStep } from '@platform/client/account';
import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { CardRow } from '../components/card.tsx';
import { usePlatform } from '../session/platform.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { FirstCodes } from './app-row.tsx';
import { useProof } from './proof.tsx';
import { useSecondFactor } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const NewCodes = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  const [codes, setCodes] = useState<string[]>();
  return (
    <>
      <AccountAction
        button={words.newCodes}
        title={words.newCodes}
        text={words.newCodesHint}
        submit={words.createCodes}
        submitting={words.creating}
        proof={proof}
        onSubmit={async (read) => setCodes(await replaceRecoveryCodes(client, await proof.read(read)))}
      />
      <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
    </>
  );
};

const TurnOn = ({ onCodes }: { onCodes: (codes: string[] | undefined) => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  return (
    <AccountAction
      button={words.turnOn}
      buttonLabel={words.turnOnSecondStep}
      title={words.turnOnSecondStep}
      text={words.turnOnSecondStepHint}
      submit={words.turnOn}
      submitting={words.turningOn}
      proof={proof}
      onSubmit={async (read) => {
        const { recoveryCodes } = await switchSecondStep(client, {
          ...(await proof.read(read)),
          isRequired: true,
        });
        onCodes(recoveryCodes);
      }}
    />
  );
};

const TurnOff = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  return (
    <AccountAction
      button={words.turnOff}
      buttonLook="danger-quiet"
      buttonLabel={words.turnOffSecondStep}
      title={words.turnOffSecondStep}
      text={words.turnOffSecondStepHint}
      submit={words.turnOff}
      submitting={words.turningOff}
      isDanger
      proof={proof}
      onSubmit={async (read) => switchSecondStep(client, { ...(await proof.read(read)), isRequired: false })}
      done={() => words.secondStepOff}
    />
  );
};

/** Whether a passkey is asked for beside the password; an authenticator app always is. */
export const SecondStepRow = () => {
  const words = useWords(OWN_ACCOUNT);
  const { data } = useSecondFactor();
  const [codes, setCodes] = useState<string[]>();
  if (!data || (data.passkeys.length === 0 && !data.isRequired)) return null;
  const { totp, isRequired, recoveryCodesLeft } = data;
  return (
    <CardRow button={!isRequired && <TurnOn onCodes={setCodes} />}>
      {words.secondStep} {isRequired && <Badge look="ok">{words.on}</Badge>}
      <div className="muted small">
        {isRequired ? words.codesLeft(recoveryCodesLeft) : words.secondStepHint}
      </div>
      {isRequired && (
        <div className="row row-actions">
          <NewCodes />
          {!totp && <TurnOff />}
        </div>
      )}
      <FirstCodes codes={codes} onSaved={() => setCodes(undefined)} />
    </CardRow>
  );
};

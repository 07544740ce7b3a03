import type { SecondFactorState } from '@platform/client';
import { removeTotp, replaceRecoveryCodes, switchSecondStep } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ActionDialog, type DialogState } from '../components/forms/action-dialog.tsx';
import { useSayStatus } from '../components/status.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { formatLongDate } from '../words/formats.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { LifebuoyIcon, MobileIcon, ShieldIcon } from './account-icons.tsx';
import { type ProofFields, useProof } from './proof.tsx';
import { ACCOUNT_CHANGE, useSecondFactor } from './queries.ts';
import { useRecoveryCodes } from './recovery-codes.tsx';
import { ActionGroup, Row } from './rows.tsx';
import { SetUpApp } from './set-up-app.tsx';

/** Asks before the second step is switched on or off. Switching it off needs a proof by a factor. */
const SwitchDialog = ({ isOn, ...dialog }: DialogState & { isOn: boolean }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: isOn });
  const codes = useRecoveryCodes();
  const say = useSayStatus();
  const change = useMutation({
    mutationFn: async (fields: ProofFields) => {
      const body = { ...(await proof.read(fields)), isRequired: !isOn };
      return { ...(await switchSecondStep(client, body)), isRequired: body.isRequired };
    },
    meta: ACCOUNT_CHANGE,
    onSuccess: ({ isRequired, recoveryCodes }) => {
      if (recoveryCodes) codes.show(recoveryCodes, () => say(words.secondStepOn));
      else say(isRequired ? words.secondStepOn : words.secondStepOff);
    },
  });
  return (
    <ActionDialog
      {...dialog}
      title={isOn ? words.turnOffTitle : words.turnOnTitle}
      lead={isOn ? words.turnOffHint : words.turnOnHint}
      look={isOn ? 'danger' : 'main'}
      submit={isOn ? words.turnOff : words.turnOn}
      submitting={isOn ? words.turningOff : words.turningOn}
      advice={proof.advice}
      fieldErrorsOf={proof.fieldErrorsOf}
      mutation={change}
    >
      {dialog.isOpen && proof.fields}
    </ActionDialog>
  );
};

type SwitchRowProps = { state: SecondFactorState; onSetUp: () => void };

/** Asks for a passkey after the password. Without a passkey, it leads to the set-up of an app. */
const SwitchRow = ({ state: { totp, passkeys, isRequired }, onSetUp }: SwitchRowProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (totp) return <Row icon={<ShieldIcon />} title={words.askSecond} notes={[words.askSecondApp]} />;
  const isPossible = user.isEmailVerified;
  return (
    <Row
      icon={<ShieldIcon />}
      title={<label htmlFor={id}>{words.askSecond}</label>}
      notes={[isPossible ? words.askSecondHint : words.verifyFirst]}
      action={
        <>
          <input
            id={id}
            type="checkbox"
            role="switch"
            className="switch"
            checked={isRequired}
            aria-checked={isRequired}
            disabled={!isPossible}
            onChange={() => (passkeys.length > 0 ? setOpen(true) : onSetUp())}
          />
          <SwitchDialog isOn={isRequired} isOpen={isOpen} onClose={() => setOpen(false)} />
        </>
      }
    />
  );
};

const RemoveApp = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client, kind } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  const { data } = useSecondFactor();
  // The second step ends with its last factor, but not for a role that needs one.
  const isLast = data?.passkeys.length === 0 && kind !== 'administrator';
  return (
    <AccountAction
      button={words.removeAppShort}
      buttonLabel={words.removeApp}
      title={words.removeAppQuestion}
      text={isLast ? words.turnOffHint : words.removeAppHint}
      submit={words.removeApp}
      submitting={words.removingApp}
      isDanger
      proof={proof}
      onSubmit={async (fields: ProofFields) => removeTotp(client, await proof.read(fields))}
      done={() => words.appRemoved}
    />
  );
};

const AppRow = ({ state: { totp }, onSetUp }: SwitchRowProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const setUp = user.isEmailVerified && (
    <Button look="link" aria-label={words.setUpApp} onClick={onSetUp}>
      {words.setUp}
    </Button>
  );
  const note = user.isEmailVerified ? words.appOff : words.verifyFirst;
  return (
    <Row
      icon={<MobileIcon />}
      title={words.app}
      notes={[totp ? words.appOn(formatLongDate(new Date(totp.enabledAt))) : note]}
      action={totp ? <RemoveApp /> : setUp}
    />
  );
};

const CodesRow = ({ left }: { left: number }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  const codes = useRecoveryCodes();
  const say = useSayStatus();
  return (
    <Row
      icon={<LifebuoyIcon />}
      title={words.recoveryCodes}
      notes={[words.codesLeft(left)]}
      action={
        <AccountAction
          button={words.newCodes}
          title={words.newCodesTitle}
          text={words.newCodesHint}
          submit={words.createCodes}
          submitting={words.creating}
          proof={proof}
          onSubmit={async (fields: ProofFields) => replaceRecoveryCodes(client, await proof.read(fields))}
          done={(created) => {
            codes.show(created, () => say(words.codesReplaced));
            return undefined;
          }}
        />
      }
    />
  );
};

/** The switch, the app, and the recovery codes, which there are while a second step is due. */
export const SecondStepRows = () => {
  const words = useWords(OWN_ACCOUNT);
  const { data } = useSecondFactor();
  const [isSettingUp, setSettingUp] = useState(false);
  const setUp = () => setSettingUp(true);
  return (
    <ActionGroup title={words.secondStep}>
      {data && <SwitchRow state={data} onSetUp={setUp} />}
      {data && <AppRow state={data} onSetUp={setUp} />}
      {data?.isRequired && <CodesRow left={data.recoveryCodesLeft} />}
      <SetUpApp isOpen={isSettingUp} onClose={() => setSettingUp(false)} />
    </ActionGroup>
  );
};

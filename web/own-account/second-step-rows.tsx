import type { SecondFactorState } from '@platform/client';
import { removeTotp, replaceRecoveryCodes, switchSecondStep } from '@platform/client/account';
import { useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import type { DialogState } from '../components/forms/action-dialog.tsx';
import { useSayStatus } from '../components/status.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { formatLongDate } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { AccountAction, AccountDialog, type Change } from './account-action.tsx';
import { LifebuoyIcon, MobileIcon, ShieldIcon } from './account-icons.tsx';
import { useSecondFactor } from './queries.ts';
import { useRecoveryCodes } from './recovery-codes.tsx';
import { ActionGroup, Row } from './rows.tsx';
import { SetUpApp } from './set-up-app.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** Asks before the second step is switched on or off. Switching it off needs a proof by a factor. */
const SwitchDialog = ({ isOn, ...dialog }: DialogState & { isOn: boolean }) => {
  const words = useWords(OWN_ACCOUNT);
  const codes = useRecoveryCodes();
  const say = useSayStatus();
  return (
    <AccountDialog
      {...dialog}
      title={isOn ? words.turnOffTitle : words.turnOnTitle}
      text={isOn ? words.turnOffHint : words.turnOnHint}
      submit={isOn ? words.turnOff : words.turnOn}
      submitting={isOn ? words.turningOff : words.turningOn}
      isDanger={isOn}
      asks={isOn ? 'factor' : 'password'}
      onSubmit={async ({ client, proof }: Change) => {
        const isRequired = !isOn;
        return { ...(await switchSecondStep(client, { ...proof, isRequired })), isRequired };
      }}
      done={({ isRequired, recoveryCodes }) => {
        if (!recoveryCodes) return isRequired ? words.secondStepOn : words.secondStepOff;
        codes.show(recoveryCodes, () => say(words.secondStepOn));
        return undefined;
      }}
    />
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
  const { kind } = usePlatform();
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
      submitting={words.removing}
      isDanger
      asks="factor"
      onSubmit={({ client, proof }: Change) => removeTotp(client, proof)}
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
          asks="factor"
          onSubmit={({ client, proof }: Change) => replaceRecoveryCodes(client, proof)}
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

import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';

type RecoveryCodesProps = { codes: readonly string[] | undefined; onSaved: () => void };

/** Shows the codes once, to be printed or saved. Nothing else closes the dialog. */
export const RecoveryCodes = ({ codes, onSaved }: RecoveryCodesProps) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <Dialog title={words.recoveryCodes} isOpen={codes !== undefined}>
      {codes && (
        <>
          <p>{words.recoveryCodesHint}</p>
          <ol className="recovery-codes">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
          <div className="row no-print">
            <Button look="main" onClick={onSaved}>
              {words.saved}
            </Button>
            <Button onClick={() => window.print()}>{words.print}</Button>
            <CopyButton text={codes.join('\n')} label={words.recoveryCodes} />
          </div>
        </>
      )}
    </Dialog>
  );
};

import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';

/** Shown once, to be printed or saved. */
export const RecoveryCodes = ({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <div className="stack">
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
    </div>
  );
};

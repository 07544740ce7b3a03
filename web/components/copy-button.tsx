import { useEffect, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';

/** Says "Copied" for two seconds; where the browser offers no clipboard, there is no button. */
export const CopyButton = ({ text, label = text }: { text: string; label?: string }) => {
  const words = useWords(COMMON);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Undefined on a page without TLS.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (!clipboard) return null;
  const copy = () => clipboard.writeText(text).then(() => setCopied(true));
  return (
    <>
      <button
        type="button"
        className="link small no-print"
        aria-label={words.copyOf(label)}
        onClick={() => void copy()}
      >
        {isCopied ? words.copied : words.copy}
      </button>
      <span className="visually-hidden" role="status">
        {isCopied && words.copied}
      </span>
    </>
  );
};

/** An id in full, with a button that copies it. */
export const Id = ({ id }: { id: string }) => (
  <>
    <span className="code">{id}</span> <CopyButton text={id} />
  </>
);

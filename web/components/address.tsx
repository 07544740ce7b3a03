import { useEffect, useState } from 'react';

/** The address as people write it: the platform has hosts in the form of the DNS, such as `xn--mller-kva.de`. */
export const useShownAddress = (address: string): string => {
  const [decoded, setDecoded] = useState<{ address: string; shown: string }>();
  useEffect(() => {
    if (!address.includes('xn--')) return;
    // If this file cannot be loaded, the address is still readable.
    import('../words/decode-host.ts').then(
      ({ decodeHost }) => setDecoded({ address, shown: decodeHost(address) }),
      () => undefined,
    );
  }, [address]);
  return decoded?.address === address ? decoded.shown : address;
};

/** An address, whose line breaks before the host rather than elsewhere. */
export const Address = ({ of }: { of: string }) => {
  const shown = useShownAddress(of);
  const at = shown.lastIndexOf('@');
  return (
    <>
      {shown.slice(0, Math.max(at, 0))}
      <wbr />
      {shown.slice(Math.max(at, 0))}
    </>
  );
};

/** `ada@example.com` becomes `a…@example.com`, so that operators can recognise a mail. */
export const maskAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, Math.max(at, 0));
  return `${first}…${at < 0 ? '' : address.slice(at)}`;
};

/**
 * Parses a link to a page; undefined for another scheme, and with user information, which can imitate a host.
 * Show its `href`, in which browsers have replaced what programs read differently.
 */
export const parseWebUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  // The origin of `blob:https://…` is that of the inner URL.
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isWeb ? url : undefined;
};

const PATH = '/console/invitation';

/**
 * Takes the code of an invitation's link out of the address bar, before anything else runs. It is behind the `#`,
 * so that no server's log has it. It is not stored: after a reload, the link of the mail works again. Any other
 * address has the empty code.
 */
export const takeInvitationCode = (): string => {
  const { pathname, hash } = window.location;
  if (pathname !== PATH || hash.length < 2) return '';
  history.replaceState(null, '', PATH);
  const code = hash.slice(1);
  try {
    return decodeURIComponent(code);
  } catch {
    // A mail program has cut the link. The page says that the code is wrong.
    return code;
  }
};

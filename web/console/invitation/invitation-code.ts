const PATH = '/console/invitation';
let code = '';

/**
 * Takes the code of an invitation's link out of the address bar, before anything else runs. It is behind the `#`,
 * so that no server's log has it. It is not stored: after a reload, the link of the mail works again.
 */
export const takeInvitationCode = (): void => {
  const { pathname, hash } = window.location;
  if (pathname !== PATH || hash.length < 2) return;
  history.replaceState(null, '', PATH);
  code = hash.slice(1);
  try {
    code = decodeURIComponent(code);
  } catch {
    // A mail program has cut the link. The page says that the code is wrong.
  }
};

export const getInvitationCode = (): string => code;

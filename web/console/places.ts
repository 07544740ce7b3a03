/** The own account, whatever the role. */
export const OWN_ACCOUNT_PATH = '/your-account';

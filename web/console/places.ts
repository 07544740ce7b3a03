/** The path of the own account, for each role. */
export const OWN_ACCOUNT_PATH = '/your-account';

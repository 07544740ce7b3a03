type CodeTexts = {
  subject: string;
  /** Starts with the code: the first line of the text, and what a mail program displays in its list of mails. */
  summary: (code: string, product: string) => string;
  instruction: (product: string) => string;
};

/** All texts of the mails to users in one language. Times are in UTC. */
export type AccountTexts = {
  verificationCode: CodeTexts;
  resetPasswordCode: CodeTexts;
  /** Of both codes. */
  validity: (until: string) => string;
  notRequested: string;
  passwordChanged: {
    subject: string;
    notice: (time: string, product: string) => string;
    advice: string;
  };
};

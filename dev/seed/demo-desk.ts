/** The administrators of the demo data, by address: both have a name. */
export const ANNA = 'admin@example.com';
export const MARIA = 'secured@example.com';

/** Why the blocked people of the demo data were blocked, in their order, and by whom. */
export const BLOCK_REASONS: readonly { text: string; author: string; daysAgo: number }[] = [
  { text: 'Chargeback fraud. Third one this year, bank ref. 88-2041.', author: ANNA, daysAgo: 2.2 },
  {
    text: 'Spam or fake requests. Four requests with the same text from different addresses.',
    author: MARIA,
    daysAgo: 16.4,
  },
  {
    text: 'Account taken over. The owner called and could name none of the last sign-ins.',
    author: ANNA,
    daysAgo: 31.1,
  },
  { text: 'Other. Asked us to close the account until a dispute is settled.', author: MARIA, daysAgo: 48.6 },
  { text: 'Spam or fake requests. Offers the same template to every customer.', author: ANNA, daysAgo: 69.3 },
];

type DemoNote = {
  email: string;
  text: string;
  /** The action of the author that came just before. */
  action?: 'SECOND_FACTOR_RESET';
  author: string;
  daysAgo: number;
};

export const DEMO_NOTES: readonly DemoNote[] = [
  {
    email: 'customer@example.com',
    text: 'Asked by phone for a copy of the data. Sent on the same day.',
    author: MARIA,
    daysAgo: 12.3,
  },
  {
    email: 'customer@example.com',
    text: 'Prefers mails in the morning, is on the road after ten.',
    author: ANNA,
    daysAgo: 40.1,
  },
  {
    email: 'amelia.hartmann@example.net',
    text: 'New phone: lost the authenticator app, reset after a call back.',
    action: 'SECOND_FACTOR_RESET',
    author: MARIA,
    daysAgo: 5.6,
  },
  {
    email: 'priya.raman@example.net',
    text: 'Invoice 2041 was sent to an old address. Accounting knows.',
    author: ANNA,
    daysAgo: 8.2,
  },
  {
    email: 'adrian.kessler@example.net',
    text: 'Reference of the carrier came by mail and is fine.',
    author: MARIA,
    daysAgo: 20.8,
  },
  {
    email: 'bianca.moretti@example.net',
    text: 'On leave until the end of the month.',
    author: ANNA,
    daysAgo: 3.4,
  },
];

export const DEMO_INVITATIONS = [
  { email: 'jonas.weber@example.com', role: 'ADMIN', language: 'de', author: ANNA, daysAgo: 1.2 },
  { email: 'lena.fischer@example.com', role: 'OPERATOR', language: 'en', author: MARIA, daysAgo: 6.4 },
] as const;

/** Mails that were not sent: the answer of the mail server, and after how many attempts. */
export const DEMO_FAILED_MAILS = [
  {
    email: 'ethan.walsh@example.net',
    template: 'new-device',
    failure: '550 5.1.1 …: Recipient address rejected: User unknown',
    attempts: 1,
    daysAgo: 0.4,
  },
  {
    email: 'grace.wanjiru@example.net',
    template: 'password-changed',
    failure: '452 4.2.2 The mailbox is full',
    attempts: 8,
    daysAgo: 1.6,
  },
] as const;

/** Edits of projects by administrators. */
export const DEMO_EDITS = [
  {
    ofTitle: 'Online shop for a family bakery',
    field: 'title',
    from: 'Online shop',
    author: MARIA,
    daysAgo: 1.1,
  },
  { ofTitle: 'Faster pipelines for a monorepo', field: 'category', from: 'WEB', author: ANNA, daysAgo: 6.9 },
  {
    ofTitle: 'Wayfinding in a regional hospital',
    field: 'category',
    from: 'OTHER',
    author: ANNA,
    daysAgo: 11.2,
  },
] as const;

import { ANNA, MARIA } from './demo-desk.ts';

type DemoRequest = {
  kind: 'lead' | 'support';
  email: string;
  name: string | null;
  phone: string | null;
  company: string | null;
  subject: string | null;
  message: string;
  daysAgo: number;
  /** Who works on it, and since when it is done. */
  assignee: string | null;
  doneDaysAgo: number | null;
  notes: readonly string[];
  replies: readonly string[];
};

const NOTHING = {
  name: null,
  phone: null,
  company: null,
  subject: null,
  assignee: null,
  doneDaysAgo: null,
  notes: [],
  replies: [],
};

const LONG_MESSAGE = `We run eleven shops in two cities and sell mostly to people who order the day before and collect on their way to work.

The old shop was made by a nephew of the founder and nobody dares to touch it. Orders arrive as mails, which somebody types into the till. On Saturdays this takes two people until noon.

What we need: a catalogue of about four hundred products, pick-up times by shop, payment by card and invoice, and a list for the bakers at three in the morning. The till has an interface, its maker is willing to help, and we have test data.

We would like to start with one shop in spring. Is this something for one of your teams, and what would you need from us to find the right one? A call is possible on every day but Friday.`;

export const DEMO_REQUESTS: readonly DemoRequest[] = [
  {
    ...NOTHING,
    kind: 'support',
    email: 'amelia.hartmann@example.net',
    name: 'Amelia Hartmann',
    subject: 'The app on my new phone',
    message:
      'You removed the app of my lost phone last week. How do I set it up on the new one, and do I need the old codes?',
    daysAgo: 0.08,
  },
  {
    ...NOTHING,
    kind: 'lead',
    email: 'ida.lund@example.org',
    name: 'Ida Lund',
    phone: '+45 20 55 01 42',
    company: 'Lund & Daughters',
    message: LONG_MESSAGE,
    daysAgo: 0.21,
  },
  {
    ...NOTHING,
    kind: 'support',
    email: 'tomasz.wieczorek@example.net',
    name: 'Tomasz Wieczorek',
    subject: 'Wrong name on the contract',
    message: 'The contract has my name without the second part. Can you correct it before Thursday?',
    daysAgo: 0.9,
    assignee: MARIA,
    notes: ['Asked the team to hold the signature until Thursday.'],
  },
  {
    ...NOTHING,
    kind: 'support',
    email: 'helene.b@example.org',
    subject: 'Is the marketplace free?',
    message: 'Does a customer pay anything before a team is chosen?',
    daysAgo: 1.3,
  },
  {
    ...NOTHING,
    kind: 'lead',
    email: 'office@quarry-lake.example.org',
    name: 'Marek Dostal',
    company: 'Quarry Lake Camping',
    message: 'Booking page for 60 pitches, in three languages. Our season starts in April.',
    daysAgo: 1.8,
    assignee: ANNA,
    replies: [
      'Thank you for writing. Two teams could start in January. May I call you on Wednesday after ten?',
    ],
    notes: ['Wants fixed prices only.'],
  },
  {
    ...NOTHING,
    kind: 'support',
    email: 'bianca.moretti@example.net',
    name: 'Bianca Moretti',
    subject: 'Invitation to a second team',
    message: 'I was invited to another team and cannot find the invitation any more.',
    daysAgo: 3.1,
    assignee: ANNA,
    doneDaysAgo: 2.7,
    replies: ['The invitation was withdrawn by the team on Monday. They will send a new one.'],
  },
  {
    ...NOTHING,
    kind: 'support',
    email: 'priya.raman@example.net',
    name: 'Priya Raman',
    subject: 'Invoice to the wrong address',
    message: 'Invoice 2041 went to our old office.',
    daysAgo: 8.4,
    assignee: ANNA,
    doneDaysAgo: 8.1,
    replies: ['A corrected invoice is on its way to the new office. Thank you for telling us.'],
    notes: ['Accounting changed the address.'],
  },
  {
    ...NOTHING,
    kind: 'lead',
    email: 'press@northern-lights.example.org',
    name: 'Saara Koski',
    company: 'Northern Lights Festival',
    message: 'We look for a team that films the festival and cuts a clip each night.',
    daysAgo: 15.2,
    doneDaysAgo: 14.9,
    assignee: MARIA,
  },
  {
    ...NOTHING,
    kind: 'support',
    email: 'noor.de.vries@example.net',
    name: 'Noor de Vries',
    subject: 'Delete my account',
    message: 'How do I delete my account, and what happens to my project?',
    daysAgo: 6.5,
    doneDaysAgo: 6.1,
    assignee: MARIA,
    replies: ['You can delete it under “Your data”. The project stays, without your name.'],
  },
  {
    ...NOTHING,
    kind: 'support',
    email: 'spam@example.org',
    subject: 'Grow your business',
    message: 'We grow your business in ten days.',
    daysAgo: 44.3,
    doneDaysAgo: 44.0,
  },
];

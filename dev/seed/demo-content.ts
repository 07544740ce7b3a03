type DemoTeam = {
  name: string;
  slug: string;
  status: string;
  bio: string;
  externalExperience: string | null;
  /** The number of members. */
  size: number;
  /** The time of its creation, in (fractional) days before today. */
  daysAgo: number;
};

const TEAMS = `
North Pier Studio | ACTIVE | 4 | 350 | Web shops and booking systems for small companies, from the first sketch to the launch. | Eleven shops for bakeries, breweries and bookshops since 2019.
Quiet Harbour Analytics | ACTIVE | 3 | 331 | We turn scattered spreadsheets into figures that people trust. | Dashboards for two theatres and a regional water board.
Paper Crane Design | ACTIVE | 3 | 298 | Brand and packaging with a soft spot for print. |
Lantern Mobile | ACTIVE | 5 | 264 | Native apps that work in the cellar, in the woods and in the tram. | Six apps in both stores, the oldest for nine years.
Granite Operations | ACTIVE | 3 | 233 | Platforms that can be restarted without fear. | Moved a hospital group and a news site to Kubernetes.
Open Window Consulting | SUSPENDED | 2 | 310 | Reviews of architecture and data protection in plain words. | Advised three city administrations.
Bright Meadow Marketing | SUSPENDED | 3 | 190 | Campaigns for products that do some good. |
Old Mill Media | ARCHIVED | 2 | 360 | Short films about people and their work. | Two festival awards in 2022.
Seven Bridges Software | ONBOARDING | 4 | 41 | Back ends for logistics and public transport. | Real-time departures for a network of 400 stops.
Copper Fox Collective | ONBOARDING | 3 | 23 | Interfaces for everybody, tested with those whom others forget. |
Salt and Signal | ONBOARDING | 2 | 9 | Sensors, maps and the software in between. | Lake and river monitoring for two universities.
Blue Door Translations | ONBOARDING | 2 | 2 | Technical texts in nine languages. |`;

const toTeam = (line: string, index: number): DemoTeam => {
  const [name = '', status = '', size, daysAgo, bio = '', externalExperience] = line.split(/ \| ?/);
  return {
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    status,
    bio,
    externalExperience: externalExperience || null,
    size: Number(size),
    daysAgo: Number(daysAgo) + ((index * 3) % 10) / 17,
  };
};

export const demoTeams: readonly DemoTeam[] = TEAMS.trim().split('\n').map(toTeam);

type DemoProject = {
  title: string;
  description: string;
  category: string;
  status: string;
  contractingStage: string | null;
  isDeleted: boolean;
  /** The time of its creation, in (fractional) days before today. */
  daysAgo: number;
};

const STATUSES = [
  'DRAFT',
  'MODERATION',
  'PUBLISHED',
  'TEAM_SELECTION',
  'CONTRACTING',
  'IN_PROGRESS',
  'ON_REVIEW',
  'DISPUTED',
  'COMPLETED',
  'CANCELLED',
];
const STAGES = ['NEGOTIATION', 'DRAFTING', 'CUSTOMER_SIGNING', 'EXECUTOR_SIGNING', 'SIGNED'];

const PROJECTS = `
WEB | Online shop for a family bakery | Forty products, pick-up at three shops and delivery before eight in the morning. The stock comes from our till every five minutes.
WEB | Booking page for a climbing gym | Members book two-hour slots and courses. Cancelling must be possible until the evening before, and the front desk needs a list to print.
WEB | New website for a chamber choir | Concert calendar, recordings and a press area.
WEB | Customer portal of a heating installer | Customers see their maintenance contracts and report faults with photos. The dispatcher gets every report in the existing planning tool.
WEB | Donation page with monthly giving | One-off and monthly donations by card and direct debit, with a receipt for the tax office at the end of the year.
WEB | Rental catalogue for film equipment | About 900 items with availability by day. Rental houses should be able to quote a whole package in one go.
WEB | Intranet for a network of day nurseries | Eleven houses share menus, duty rosters and forms. It has to be usable on an old tablet in the kitchen.
MOBILE | Route app for courier cyclists | Riders get their next three stops and confirm each with a photo or a signature. It must work without a connection and catch up later.
MOBILE | Companion app for a museum of ships | Audio stories start when a visitor stands in front of an exhibit. German, English and Danish from the first day.
MOBILE | Loyalty card of a coffee roaster | Stamps, a birthday drink and the nearest shop. No account should be needed for the first ten stamps.
MOBILE | Field app for tree inspections | Inspectors record height, damage and photos on the map of the city. Data goes to the municipality's geographic system every night.
MOBILE | Training diary for rowing clubs | Coaches plan, athletes log, and both see the weekly load. Import from two common sports watches is a must.
MOBILE | Reading app for a publisher of short stories | One story a day, offline, with adjustable type and a night mode.
MOBILE | App for reporting broken street lights | Citizens scan the number on the mast. We expect 2,000 reports in the first winter.
DESIGN | Brand identity for a solar cooperative | Logo, colours, two typefaces and templates for letters and slides. Everything has to work in black and white too.
DESIGN | Packaging for a range of herbal teas | Six blends, one system. The printer needs the die lines by the end of the quarter.
DESIGN | Redesign of a ticket machine's screens | Passengers buy a day ticket in four taps today; it should be two. Wheelchair users and people with low vision test every round.
DESIGN | Illustrations for a children's encyclopaedia | Thirty double pages on animals of the night.
DESIGN | Design system for an insurance broker | Components for the web portal and the app, documented and tested for contrast. Two of our developers will build it together with you.
DESIGN | Wayfinding in a regional hospital | Patients should find radiology without asking. Includes signs, floor lines and a printed map.
DESIGN | Annual report of a housing association | Eighty pages with charts that a tenant understands. Print and accessible PDF.
MARKETING | Launch campaign for an electric cargo bike | We start in four cities in spring with a small budget and many test rides. Local press and short videos matter more than banners.
MARKETING | Newsletter relaunch for a garden centre | 18,000 subscribers and an opening rate that halves every year. We want two good mails a month instead of eight poor ones.
MARKETING | Search visibility of a chain of dentists | Nine practices, nine sets of opening hours, one inconsistent web presence.
MARKETING | Trade fair presence for a valve maker | Concept, invitations and follow-up for a fair with 12,000 visitors. The stand itself is already booked.
MARKETING | Video series about old crafts | Six portraits of three minutes each: a cooper, a bookbinder, a bell founder and others.
MARKETING | Employer campaign of a nursing service | We look for thirty nurses in rural areas. Honest pictures, no stock photos.
MARKETING | Market entry in the Nordic countries | Positioning, pricing research and the first three partnerships for our accounting software.
DATA | Forecast of bread sales per shop | Predict what each of 22 shops sells tomorrow so that less is thrown away. Three years of receipts and the weather are available.
DATA | Warehouse for the figures of a theatre | Ticketing, bar and subscription live in three systems that do not know each other. The management wants one dashboard on Monday morning.
DATA | Clean-up of 400,000 customer addresses | Duplicates, moved households and misspelt streets. The result must be explainable, record by record.
DATA | Water quality dashboard for a lake district | Sensors at 31 places send every ten minutes. Bathing guests need a traffic light, scientists the raw values.
DATA | Price monitoring for spare parts | Compare 7,000 parts with four public catalogues once a week and flag what is out of line.
DATA | Survey evaluation for a school authority | 12,000 questionnaires, half of them on paper. Anonymity comes first.
DATA | Anomaly detection for a fleet of lifts | Find doors that will fail before somebody is stuck. Two years of telemetry exist in a time series database.
DEVOPS | Move of a booking platform to Kubernetes | Nine services run on virtual machines that nobody dares to restart. We want repeatable environments and a rollback that works.
DEVOPS | Backup concept for a law firm | Restore must be proven every month, and copies have to leave the building encrypted.
DEVOPS | Faster pipelines for a monorepo | A change waits 48 minutes for its checks. Ten would be fine.
DEVOPS | Observability for a payment gateway | Traces, meaningful alerts and an on-call rota that lets people sleep. Card data must never appear in a log.
DEVOPS | Hardening of public web servers | A scan found 63 issues in January. Fix them, automate the baseline and document what remains.
DEVOPS | Cost review of a cloud account | The bill tripled within a year and nobody can say why.
DEVOPS | Zero-downtime database upgrade | PostgreSQL 12 to the current version, two terabytes, a maintenance window of at most five minutes.
CONSULTING | Data protection check of a sports app | Review of what is collected, why and for how long, with a list of measures in order of risk.
CONSULTING | Choice of a shop system | We outgrow our home-made shop. Please compare three candidates with our 60 requirements and recommend one.
CONSULTING | Accessibility audit of a city portal | Conformance report for 40 representative pages and a workshop with the editors.
CONSULTING | Architecture review before a rewrite | Should we rewrite at all? Two weeks, interviews with the team, and a clear recommendation.
CONSULTING | Introduction of code review | Four teams, four habits. We want a common practice that does not slow anybody down.
CONSULTING | Roadmap for the digital archive of a newspaper | 120 years of issues, scanned in different quality. What can be searched, what can be licensed, what does it cost?
CONSULTING | Support for a public tender | Requirements, evaluation matrix and answers to bidders' questions for a new library system.
OTHER | Translation of a machine manual | 210 pages from German into Polish and Spanish, with the terms from our glossary.
OTHER | Voice recordings for a navigation device | Two voices, 600 phrases each, delivered as single files with equal loudness.
OTHER | Moderation of a patients' forum | Evenings and weekends, with training in crisis communication.
OTHER | 3D scan of a historic staircase | The staircase will be restored next year, and every baluster is different.
OTHER | Subtitles for lectures in physics | Forty lectures of ninety minutes. Formulas must be spoken and written correctly.
OTHER | Research for a documentary about bridges | Find people, archives and footage in five countries.
OTHER | Event crew for a barcamp | Stream, sound and registration for 250 people on one Saturday.`;

const toProject = (line: string, index: number, { length }: readonly string[]): DemoProject => {
  const [category = '', title = '', description = ''] = line.split(' | ');
  // Seven consecutive projects have the same category, so that each status occurs in every category sooner or
  // later.
  const status = STATUSES[index % STATUSES.length] ?? '';
  const isContracting = status === 'CONTRACTING';
  return {
    title,
    description,
    category,
    status,
    contractingStage: isContracting
      ? (STAGES[Math.floor(index / STATUSES.length) % STAGES.length] ?? null)
      : null,
    isDeleted: index % 11 === 7,
    // Distributes the projects over the year in mixed order: 23 and their number have no common factor.
    daysAgo: 1 + (((index * 23) % length) * 360) / length + (index % 10) / 10,
  };
};

export const demoProjects: readonly DemoProject[] = PROJECTS.trim().split('\n').map(toProject);

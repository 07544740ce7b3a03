export type DemoTeam = {
  name: string;
  slug: string;
  status: string;
  bio: string;
  externalExperience: string | null;
  /** How many members it has, and when it was created, in days before today. */
  size: number;
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

type Desk = { name: string | null; url: string };

/** The file settings.json, which the gateway creates from its settings. */
type PageSettings = {
  productName: string;
  /** The name of each kind of account. */
  kindNames: Record<'customer' | 'employee', { en: string; de: string }>;
  /** The name of the environment, such as "Demo" or "Staging"; null in production. */
  environmentName: string | null;
  /** The address of the page on which operators and arbiters work. */
  desks: { OPERATOR: Desk | null; ARBITER: Desk | null };
  supportEmail: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  /** Names of files beside this one. The logo of dark pages is the same without `logoDark`. */
  logo: string | null;
  logoDark: string | null;
  /** The panel beside the sign-in card, with its sentence in both languages and the logos that can be seen on it. */
  brandPanel: { en: string | null; de: string | null; logo: string | null; logoDark: string | null } | null;
  /** The names of the providers' logos, which are files beside this one. */
  providerLogos: Readonly<Partial<Record<string, string>>>;
  /** The origins of ACCOUNT_RETURN_ORIGINS. */
  returnOrigins: string[];
};

const DEFAULTS: PageSettings = {
  productName: 'Marketplace',
  kindNames: {
    customer: { en: 'Customer account', de: 'Kundenkonto' },
    employee: { en: 'Employee account', de: 'Mitarbeiterkonto' },
  },
  environmentName: null,
  desks: { OPERATOR: null, ARBITER: null },
  supportEmail: null,
  termsUrl: null,
  privacyUrl: null,
  logo: null,
  logoDark: null,
  brandPanel: null,
  providerLogos: {},
  returnOrigins: [],
};

/** The variable is written once, before anything is rendered. */
let settings = DEFAULTS;

/** The page works without the file, because a sign-in matters more than a name and a logo. */
export const loadSettings = async (): Promise<void> => {
  try {
    const response = await fetch(`${import.meta.env.BASE_URL}settings.json`);
    if (response.ok) settings = { ...DEFAULTS, ...(await response.json()) };
  } catch {
    settings = DEFAULTS;
  }
};

export const getSettings = (): PageSettings => settings;

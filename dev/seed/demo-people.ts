export type DemoPerson = {
  email: string;
  role: 'CUSTOMER' | 'EMPLOYEE';
  firstName: string;
  lastName: string;
  phone: string | null;
  isEmailVerified: boolean;
  isBlocked: boolean;
  /** The time of the registration, in (fractional) days before today. */
  daysAgo: number;
};

/** Reserved for examples (RFC 2606), and different from the domain of the demo accounts. */
const DOMAIN = 'example.net';

const CUSTOMERS = `
Amelia Hartmann, Tomasz Wieczorek, Priya Raman, Lucas Ferreira, Ingrid Solberg, Omar Haddad, Chloé Marchetti,
Daniel Okonkwo, Yuki Tanabe, Marta Kowalczyk, Patrick O'Donnell, Leila Rahimi, Viktor Lindqvist, Sofía Navarro,
Benjamin Adler, Aiko Mori, Giulia Conti, Mateusz Zając, Hannah Brandt, Rafael Duarte, Zeynep Aydın, Jonas Keller,
Fatima El Amrani, Oscar Nyström, Elif Demir, Nikolai Petrov, Camille Laurent, Samuel Mensah, Ana Popescu,
Mikkel Jørgensen, Rosa Delgado, Arjun Mehta, Laura Virtanen, Peter Novák, Inês Carvalho, Grace Wanjiru,
Hugo Lefèvre, Katarína Horváthová, Ethan Walsh, Noor de Vries`;

const EMPLOYEES = `
Adrian Kessler, Bianca Moretti, Cem Yılmaz, Dorota Maj, Emeka Obi, Freja Holm, Gustavo Prado, Helena Vass,
Ilja Sorokin, Jana Dvořáková, Kenji Watanabe, Lina Johansson, Marco Bellini, Nadia Chaoui, Oliver Grant,
Petra Lang, Quentin Roche, Ruth Abebe, Stefan Ionescu, Tessa Bakker, Uma Krishnan, Valentin Marin, Wiebke Harms,
Xavier Soler, Yasmin Farouk, Zoltán Kiss, Aoife Brennan, Bruno Teixeira, Clara Weiss, Dmytro Kovalenko`;

/** They have registered in the last two weeks. */
const NEW_CUSTOMERS = `
Theo Brunner, Mina Sato, Paulina Wrona, Caleb Njoroge, Livia Ricci, Anders Vik, Salma Idrissi, Joris Peeters,
Eva Kolar, Hassan Yilmaz, Nora Quinn, Pablo Ortega, Ida Sandberg, Felix Amann`;
const NEW_EMPLOYEES = 'Mira Halonen, Tadeusz Wolak, Sanne Visser, Rui Almeida, Greta Thaler, Owen Byrne';

const splitNames = (text: string): string[] => text.split(',').map((name) => name.trim());

/** Letters that NFD does not decompose. */
const PLAIN: Record<string, string> = { ø: 'o', ł: 'l', ı: 'i' };

const toEmail = (name: string): string => {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[øłı]/g, (letter) => PLAIN[letter] ?? '');
  return `${plain.replace(/[^a-z ]/g, '').replaceAll(' ', '.')}@${DOMAIN}`;
};

const toPerson =
  (role: DemoPerson['role']) =>
  (name: string, index: number, { length }: readonly string[]): DemoPerson => {
    const [firstName = '', ...rest] = name.split(' ');
    return {
      email: toEmail(name),
      role,
      firstName,
      lastName: rest.join(' '),
      // 555-01xx is reserved for fictional use.
      phone:
        index % 4 === 3 ? null : `+1 ${212 + index} 555 01${String((index * 37) % 100).padStart(2, '0')}`,
      isEmailVerified: index % 5 !== 4,
      isBlocked: index % 13 === 6,
      daysAgo: 364 - (index * 361.7) / length - ((index * 7) % 10) / 17,
    };
  };

const toNewcomer =
  (role: DemoPerson['role']) =>
  (name: string, index: number, names: readonly string[]): DemoPerson => ({
    ...toPerson(role)(name, index, names),
    isEmailVerified: index % 4 !== 1,
    isBlocked: false,
    daysAgo: 13.6 * (1 - (index + 0.7) / names.length),
  });

export const demoPeople: readonly DemoPerson[] = [
  ...splitNames(CUSTOMERS).map(toPerson('CUSTOMER')),
  ...splitNames(EMPLOYEES).map(toPerson('EMPLOYEE')),
  ...splitNames(NEW_CUSTOMERS).map(toNewcomer('CUSTOMER')),
  ...splitNames(NEW_EMPLOYEES).map(toNewcomer('EMPLOYEE')),
];

export type DemoAccount = {
  email: string;
  role: 'ADMIN' | 'OPERATOR' | 'ARBITER' | 'CUSTOMER' | 'EMPLOYEE';
  /** How colleagues see the holder of a platform role. */
  name?: string;
  /** Only for customers and employees. */
  profile?: { firstName: string; lastName: string; phone: string };
  /** The secret of the authenticator app (base32), if the account has a second factor. */
  totpSecret?: string;
};

/** One account for each role, and an administrator and a customer with a second factor. */
export const demoAccounts: readonly DemoAccount[] = [
  { email: 'admin@example.com', role: 'ADMIN', name: 'Anna Berg' },
  {
    email: 'secured@example.com',
    role: 'ADMIN',
    name: 'Maria Okafor',
    totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  },
  { email: 'operator@example.com', role: 'OPERATOR', name: 'Nadja Kern' },
  { email: 'arbiter@example.com', role: 'ARBITER', name: 'Tariq Osei' },
  {
    email: 'customer@example.com',
    role: 'CUSTOMER',
    profile: { firstName: 'Clara', lastName: 'Customer', phone: '+1 555 0100' },
  },
  {
    email: 'customer-with-app@example.com',
    role: 'CUSTOMER',
    profile: { firstName: 'Ada', lastName: 'Appleton', phone: '+1 555 0102' },
    totpSecret: 'KRSXG5CTMVRXEZLUKN2XAZLSKRSXG5BA',
  },
  {
    email: 'employee@example.com',
    role: 'EMPLOYEE',
    profile: { firstName: 'Emil', lastName: 'Employee', phone: '+1 555 0101' },
  },
];

/** The URL for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export const toOtpauthUrl = (email: string, totpSecret: string): string =>
  `otpauth://totp/Marketplace:${email}?secret=${totpSecret}&issuer=Marketplace`;

export type DemoPerson = {
  email: string;
  role: 'CUSTOMER' | 'EMPLOYEE';
  firstName: string;
  lastName: string;
  phone: string | null;
  isEmailVerified: boolean;
  isBlocked: boolean;
  /** When they signed up, in days before today, a fraction of a day included. */
  daysAgo: number;
};

/** Reserved for examples (RFC 2606), and not the domain of the demo accounts that people sign in with. */
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

const namesOf = (text: string): string[] => text.split(',').map((name) => name.trim());

/** Letters that NFD does not take apart. */
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
      // 555-01xx is set aside for fiction.
      phone:
        index % 4 === 3 ? null : `+1 ${212 + index} 555 01${String((index * 37) % 100).padStart(2, '0')}`,
      isEmailVerified: index % 5 !== 4,
      isBlocked: index % 13 === 6,
      daysAgo: 364 - (index * 361.7) / length - ((index * 7) % 10) / 17,
    };
  };

export const demoPeople: readonly DemoPerson[] = [
  ...namesOf(CUSTOMERS).map(toPerson('CUSTOMER')),
  ...namesOf(EMPLOYEES).map(toPerson('EMPLOYEE')),
];

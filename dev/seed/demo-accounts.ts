export type DemoAccount = {
  email: string;
  role: 'ADMIN' | 'OPERATOR' | 'ARBITER' | 'CUSTOMER' | 'EMPLOYEE';
  /** Customers and employees have one; platform roles have none. */
  profile?: { firstName: string; lastName: string; phone: string };
};

/** One account for each role. */
export const demoAccounts: readonly DemoAccount[] = [
  { email: 'admin@example.com', role: 'ADMIN' },
  { email: 'operator@example.com', role: 'OPERATOR' },
  { email: 'arbiter@example.com', role: 'ARBITER' },
  {
    email: 'customer@example.com',
    role: 'CUSTOMER',
    profile: { firstName: 'Clara', lastName: 'Customer', phone: '+1 555 0100' },
  },
  {
    email: 'employee@example.com',
    role: 'EMPLOYEE',
    profile: { firstName: 'Emil', lastName: 'Employee', phone: '+1 555 0101' },
  },
];

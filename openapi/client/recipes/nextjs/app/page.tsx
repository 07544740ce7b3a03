import { Account } from './account';

/** Rendered on the server, for all visitors the same: what belongs to a user is rendered in the browser. */
const Page = () => (
  <main>
    <h1>Shop</h1>
    <Account />
  </main>
);

export default Page;

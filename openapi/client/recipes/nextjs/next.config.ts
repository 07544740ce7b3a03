import type { NextConfig } from 'next';

const config: NextConfig = {
  // The addresses of the account pages keep the slash at their end.
  skipTrailingSlashRedirect: true,
};

export default config;

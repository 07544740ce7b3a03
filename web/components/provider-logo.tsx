import type { ReactNode } from 'react';
import { getSettings } from '../page/settings.ts';

type ProviderLogoProps = {
  provider: string;
  /** Shown if the provider has no logo. */
  children?: ReactNode;
};

/** The logo of OIDC_<NAME>_LOGO_FILE beside the name of a provider. */
export const ProviderLogo = ({ provider, children = null }: ProviderLogoProps) => {
  const file = getSettings().providerLogos[provider];
  if (file === undefined) return children;
  return (
    <img className="provider-logo" src={import.meta.env.BASE_URL + file} alt="" width={20} height={20} />
  );
};

import { getSettings } from '../page/settings.ts';

/** The logo of OIDC_<NAME>_LOGO_FILE beside the name of a provider; nothing without one. */
export const ProviderLogo = ({ provider }: { provider: string }) => {
  const file = getSettings().providerLogos[provider];
  if (file === undefined) return null;
  return (
    <img className="provider-logo" src={import.meta.env.BASE_URL + file} alt="" width={20} height={20} />
  );
};

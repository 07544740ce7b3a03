import './brand-panel.css';
import { getSettings } from '../../page/settings.ts';
import { getLanguage } from '../../words/language.ts';

const toAddress = (file: string): string => import.meta.env.BASE_URL + file;

/**
 * BRAND_PANEL: the panel beside the card, on screens of 960 px and more. If the settings have no sentence, it shows
 * the logo alone.
 */
export const BrandPanel = () => {
  const { brandPanel, productName } = getSettings();
  if (!brandPanel) return null;
  const { logo, logoDark } = brandPanel;
  const text = brandPanel[getLanguage()];
  return (
    <aside className="brand-panel" aria-label={productName}>
      {logo ? (
        <picture>
          {logoDark && logoDark !== logo && (
            <source srcSet={toAddress(logoDark)} media="(prefers-color-scheme: dark)" />
          )}
          <img className="brand-panel-logo" src={toAddress(logo)} alt={productName} />
        </picture>
      ) : (
        <p className="brand-panel-name">{productName}</p>
      )}
      {text && <p className="brand-panel-text">{text}</p>}
    </aside>
  );
};

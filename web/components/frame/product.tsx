import { getSettings } from '../../page/settings.ts';

const toAddress = (file: string): string => import.meta.env.BASE_URL + file;

/**
 * Logo and name of the product. The logo has the name for screen readers, because some pages show it alone. Browsers load
 * only the logo of the scheme that they show.
 */
export const Product = () => {
  const { productName, logo, logoDark } = getSettings();
  return (
    <span className="product">
      {logo ? (
        <picture>
          {logoDark && <source srcSet={toAddress(logoDark)} media="(prefers-color-scheme: dark)" />}
          <img className="product-logo" src={toAddress(logo)} alt={productName} />
        </picture>
      ) : (
        <span className="product-mark" aria-hidden="true">
          {[...productName][0]?.toUpperCase()}
        </span>
      )}
      <span className="product-name" aria-hidden={logo ? true : undefined}>
        {productName}
      </span>
    </span>
  );
};

import { getSettings } from '../page/settings.ts';

/** Logo and name of the product. */
export const Product = () => {
  const { productName, hasLogo } = getSettings();
  return (
    <span className="product">
      {hasLogo ? (
        <img className="product-logo" src={`${import.meta.env.BASE_URL}logo.png`} alt="" />
      ) : (
        <span className="product-mark" />
      )}
      {productName}
    </span>
  );
};

import { getSettings } from '../page/settings.ts';

/** Logo and name of the product. */
export const Product = () => {
  const { productName, logo } = getSettings();
  return (
    <span className="product">
      {logo ? (
        <img className="product-logo" src={`${import.meta.env.BASE_URL}${logo}`} alt="" />
      ) : (
        <span className="product-mark" />
      )}
      {productName}
    </span>
  );
};

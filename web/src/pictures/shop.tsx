/** WebShop's page as a shopper would see it: the search bar, what was found, what is being looked at, what was bought. */
import type { WebShopState } from '../../../src/envs/webshop/webshop.ts';
import { visible } from '../components/visible.ts';

export function ShopPicture({ state }: { readonly state: unknown }) {
  const { page, keywords, total, products = [], product, options = {} } = state as Partial<WebShopState>;
  if (typeof page !== 'string') return null;
  return (
    <div class="picture shop">
      <p class="bar">
        <strong>{visible(page)}</strong>
        {(page === 'search' || keywords !== undefined) && (
          <span class="field" title={visible(keywords ?? '')}>
            {visible(keywords ?? '…')}
          </span>
        )}
        {typeof total === 'number' && <span class="muted">{total}</span>}
      </p>
      {product && (
        <p class="product">
          {visible(product.title)} <span class="price">{visible(product.price)}</span>
        </p>
      )}
      {Object.keys(options).length > 0 && (
        <ul class="chips">
          {Object.entries(options).map(([name, value]) => (
            <li key={name}>{visible(`${name}: ${value}`)}</li>
          ))}
        </ul>
      )}
      {products.length > 0 && (
        <ol>
          {products.slice(0, 10).map(({ asin, title, price }) => (
            <li key={asin}>
              <span class="title" title={visible(title)}>
                {visible(title)}
              </span>{' '}
              <span class="price">{visible(price)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

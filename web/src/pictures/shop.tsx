/** WebShop's page: what was searched, what was found, what is being looked at. */
import type { WebShopState } from '../../../src/envs/webshop/webshop.ts';
import { visible } from '../parts/visible.ts';

export function ShopPicture({ state }: { readonly state: unknown }) {
  const { page, keywords, products = [], product, options = {} } = state as Partial<WebShopState>;
  if (typeof page !== 'string') return null;
  return (
    <div class="picture shop">
      <p>
        <strong>{visible(page)}</strong> {keywords !== undefined && <span class="muted">{visible(keywords)}</span>}
      </p>
      {product && (
        <p>
          {visible(product.title)} · {visible(product.price)}
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
              {visible(title)} <span class="muted">{visible(price)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

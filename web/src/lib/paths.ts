/** Every address of the shop, once. Route patterns, so that links and the site map cannot drift apart. */
export const paths = {
  home: '/',
  products: '/products',
  categories: '/categories',
  category: '/category/$category',
  product: '/product/$category/$id',
  offers: '/offers',
  cart: '/cart',
  about: '/about',
} as const

/** Lengths, but not 1px, which is a hairline, and not numbers without a unit. */
const LENGTH = '/(?<![\\w.-])-?(?!1px)[\\d.]+(px|rem)/'
/** The lengths that are a step of the space scale in tokens.css. */
const STEP = '/(?<![\\w.])-?(2|4|6|8|10|12|14|16|18|20|24|28|32|36|40|44|48|56|96)px/'

/** @type {import('stylelint').Config} */
export default {
  extends: ['stylelint-config-standard'],
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    // Space, font sizes, corners, colours, shadows and layers come from tokens.css.
    'declaration-property-value-disallowed-list': {
      '/^(margin|padding|gap|row-gap|column-gap)/': [LENGTH],
      '/^(inset|top|right|bottom|left)/': [STEP],
      '/^(font|font-size|border-.*radius)$/': [LENGTH],
    },
    'declaration-property-value-allowed-list': {
      // A ring around a box is a border rather than a shadow.
      'box-shadow': ['none', '/^var\\(--e\\d\\)$/', '/^(inset )?0 0 0 [\\d.]+px var\\(--[\\w-]+\\)$/'],
      'z-index': ['/^var\\(--z-[\\w-]+\\)$/'],
    },
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': [/^(rgb|hsl)a?$/, /^(ok)?(lab|lch)$/, 'hwb', 'color'],
    // The breakpoints of tokens.css, as `width >= 768px` where possible.
    'media-feature-name-allowed-list': [
      'width',
      'pointer',
      'hover',
      'prefers-reduced-motion',
      'prefers-color-scheme',
    ],
    'media-feature-name-value-allowed-list': { width: ['480px', '768px', '1024px', '1280px'] },

    'import-notation': 'string',
    'value-keyword-case': ['lower', { ignoreKeywords: ['Mukta', 'A4'] }],
    'declaration-block-no-redundant-longhand-properties': [true, { ignoreShorthands: ['grid-template'] }],

    // Biome formats the files; rules stand in the order in which the page shows them.
    'at-rule-empty-line-before': null,
    'comment-empty-line-before': null,
    'custom-property-empty-line-before': null,
    'declaration-empty-line-before': null,
    'rule-empty-line-before': null,
    'no-descending-specificity': null,
  },
  overrides: [
    {
      files: ['src/styles/tokens.css', 'src/styles/dark.css'],
      rules: { 'color-no-hex': null, 'function-disallowed-list': null },
    },
  ],
}

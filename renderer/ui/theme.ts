import { createTheme, rem, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/**
 * Deep teal, the accent. Shade 7 carries white text in the light theme, shade 6 in the dark one (AA
 * both).
 */
const quay: MantineColorsTuple = [
  '#edf9f7',
  '#d7f0ec',
  '#abdfd8',
  '#7accc3',
  '#4ab5aa',
  '#269c91',
  '#12837a',
  '#0b6d66',
  '#0a5751',
  '#06403c',
]

/** Neutral with a trace of the accent, light end first. */
const gray: MantineColorsTuple = [
  '#f7f9f9',
  '#eff2f2',
  '#e3e8e8',
  '#d3dada',
  '#b7c1c1',
  '#8c9898',
  '#657171',
  '#4c5757',
  '#313a3a',
  '#182020',
]

const dark: MantineColorsTuple = [
  '#dfe6e5',
  '#c3cccb',
  '#9aa6a5',
  '#6b7777',
  '#374242',
  '#273030',
  '#192121',
  '#101616',
  '#0b1010',
  '#070a0a',
]

const shadow = '0 1px 2px rgba(6, 28, 26, 0.08), 0 8px 24px rgba(6, 28, 26, 0.12)'

/** The header of a dialog must not be a banner landmark. */
const noBanner = { role: 'presentation' }

export const theme = createTheme({
  primaryColor: 'quay',
  primaryShade: { light: 7, dark: 6 },
  colors: { quay, gray, dark },
  white: '#ffffff',
  black: '#121919',
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', " +
    "'Liberation Sans', sans-serif",
  fontFamilyMonospace:
    "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', " +
    'monospace',
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(16), lg: rem(20), xl: rem(28) },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.6', lg: '1.4', xl: '1.25' },
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  headings: {
    fontWeight: '600',
    textWrap: 'pretty',
    sizes: {
      h1: { fontSize: rem(28), lineHeight: '1.25' },
      h2: { fontSize: rem(20), lineHeight: '1.4' },
      h3: { fontSize: rem(16), lineHeight: '1.5' },
      h4: { fontSize: rem(14), lineHeight: '1.45' },
    },
  },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(40) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(8), xl: rem(8) },
  defaultRadius: 'md',
  shadows: { xs: shadow, sm: shadow, md: shadow, lg: shadow, xl: shadow },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Text: { defaultProps: { size: 'sm' } },
    Badge: { defaultProps: { radius: 'xs', variant: 'light', tt: 'none', fw: 600 } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
    Drawer: { defaultProps: { transitionProps: { duration: 160 } } },
    DrawerHeader: { defaultProps: noBanner },
    DrawerTitle: { defaultProps: { lh: 1.3 } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        withinPortal: true,
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 120 },
      },
    },
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 160, transition: 'pop' } },
    },
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    ModalHeader: { defaultProps: noBanner },
    ModalTitle: { defaultProps: { lh: 1.3, fw: 600 } },
    /** As `PlainSwitch` looks. */
    Switch: { defaultProps: { withThumbIndicator: false } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md', fz: 'sm' } },
  },
})

/**
 * Mantine's own greys and reds miss AA on our backgrounds, and its light variants are too bright in
 * the dark.
 */
const variables = {
  variables: {
    '--page-narrow': rem(440),
    '--page-text': rem(760),
    '--page-wide': rem(1120),
    '--header-height': rem(56),
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-error': '#b42318',
    '--mantine-color-green-light-color': '#1c5e2a',
    '--mantine-color-orange-light-color': '#943a05',
    '--mantine-color-default-border': gray[3],
    '--surface-quiet': gray[0],
    '--border-quiet': gray[2],
    '--border-control': gray[5],
    '--accent-text': quay[7],
    '--accent-ground': quay[0],
    '--mantine-color-red-light': '#fdefed',
    '--mantine-color-red-light-color': '#8f1d14',
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-dimmed': '#a3afae',
    '--mantine-color-placeholder': '#8b9796',
    '--mantine-color-error': '#ff9b90',
    '--mantine-color-anchor': quay[3],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-disabled': dark[5],
    '--surface-quiet': dark[6],
    '--border-quiet': dark[5],
    '--border-control': dark[3],
    '--accent-text': quay[3],
    '--accent-ground': '#0f2725',
    '--mantine-color-quay-light': '#12302d',
    '--mantine-color-quay-light-hover': '#173c38',
    '--mantine-color-quay-light-color': quay[2],
    '--mantine-color-gray-light': '#242d2d',
    '--mantine-color-gray-light-hover': '#2c3636',
    '--mantine-color-gray-light-color': dark[0],
    '--mantine-color-orange-light': '#33240f',
    '--mantine-color-orange-light-hover': '#3d2b13',
    '--mantine-color-orange-light-color': '#ffc078',
    '--mantine-color-red-light': '#331d1b',
    '--mantine-color-red-light-hover': '#3d2320',
    '--mantine-color-red-light-color': '#ffb9b0',
  },
}

export const cssVariables: CSSVariablesResolver = () => variables

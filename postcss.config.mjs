import mantine from 'postcss-preset-mantine'
import simpleVars from 'postcss-simple-vars'

/** Mantine's breakpoints as PostCSS variables, the same widths as its default theme. */
const variables = {
  'mantine-breakpoint-xs': '36em',
  'mantine-breakpoint-sm': '48em',
  'mantine-breakpoint-md': '62em',
  'mantine-breakpoint-lg': '75em',
  'mantine-breakpoint-xl': '88em',
}

export default { plugins: [mantine(), simpleVars({ variables })] }

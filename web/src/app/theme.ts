// Mantine's theme with the shades moved far enough apart for people with weak eyes (WCAG AA in both schemes).

import { type CSSVariablesResolver, createTheme, Tooltip } from "@mantine/core";

export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  components: { Tooltip: Tooltip.extend({ defaultProps: { events: { hover: true, focus: true, touch: false } } }) },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-anchor": "var(--mantine-color-blue-9)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
  },
  dark: {
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-2)",
    "--mantine-color-anchor": "var(--mantine-color-blue-3)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
  },
});

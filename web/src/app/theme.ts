// Mantine's theme with the shades moved far enough apart for people with weak eyes (WCAG AA in both schemes).

import { Alert, type CSSVariablesResolver, createTheme, Menu, Modal, Notification } from "@mantine/core";

const close = { "aria-label": "Close" };

export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "md",
  cursorType: "pointer",
  // The same for what style sheets move is said in global.css.
  respectReducedMotion: true,
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  components: {
    Alert: Alert.extend({ styles: { label: { color: "var(--mantine-color-text)" } } }),
    // Its empty first element, which only catches the focus, is no menu item.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // A dialog's header is not the page's banner.
    Modal: Modal.extend({ defaultProps: { closeButtonProps: close, attributes: { header: { role: "none" } } } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: close },
      styles: { description: { color: "var(--mantine-color-dimmed)" } },
    }),
    // Who types blindly wants to look, also without a mouse. Not from its component: few pages have one.
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": "Show the password" },
      },
    },
  },
});

/** White words stand on it: Mantine's own is too pale for them. */
const filledOrange = { "--mantine-color-orange-filled": "#b34700", "--mantine-color-orange-filled-hover": "#993d00" };

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...filledOrange,
    // Ink: a page of text in pure black is hard to read.
    "--mantine-color-text": "#16202c",
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-anchor": "var(--mantine-color-blue-9)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    // Words on a light tint of the same colour: Mantine's own are too pale at this size.
    "--mantine-color-green-light-color": "#1c6428",
    "--mantine-color-orange-light-color": "#933604",
    "--mantine-color-red-light-color": "#a01c1c",
    "--mantine-color-yellow-light-color": "#6b4d00",
  },
  dark: {
    ...filledOrange,
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-placeholder": "#a3a3a3",
    "--mantine-color-anchor": "var(--mantine-color-blue-3)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
  },
});

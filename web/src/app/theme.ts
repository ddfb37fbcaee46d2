// Mantine's theme: ink, one accent, and shades far enough apart for people with weak eyes (WCAG AA in both schemes).

import {
  Alert,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  type VariantColorsResolver,
} from "@mantine/core";

const close = { "aria-label": "Close" };

/** The colour of words; as a filled button for the last click before something is gone. */
const ink: MantineColorsTuple = [
  "#f3f5f8",
  "#e3e8ee",
  "#c5ced9",
  "#a3b0bf",
  "#8493a6",
  "#6b7c91",
  "#566679",
  "#3f4d5e",
  "#2a3643",
  "#16202c",
];
/** Only for what needs the user (lib/tones.ts). */
const amber: MantineColorsTuple = [
  "#fff8e8",
  "#ffeecc",
  "#ffdd99",
  "#ffca61",
  "#ffbd42",
  "#ffb52e",
  "#e39a00",
  "#b97c00",
  "#935f00",
  "#7a4d00",
];
/** Mantine's greys of the dark scheme, as ink instead of black. */
const dark: MantineColorsTuple = [
  "#d3dae2",
  "#b4bfcb",
  "#8897a8",
  "#627285",
  "#3a4756",
  "#2d3947",
  "#222c38",
  "#18202a",
  "#121922",
  "#0c1118",
];

/** Both are filled with what white words cannot be read on in one of the schemes. */
const resolveVariantColors: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  if (input.variant !== "filled") return resolved;
  if (input.color === "amber") return { ...resolved, color: ink[9] };
  return input.color === "ink" ? { ...resolved, color: "var(--on-ink)" } : resolved;
};

export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  colors: { ink, amber, dark },
  variantColorResolver: resolveVariantColors,
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

const filledAmber = { "--mantine-color-amber-filled": amber[5], "--mantine-color-amber-filled-hover": amber[4] };

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...filledAmber,
    // A page of text in pure black is hard to read.
    "--mantine-color-text": ink[9],
    "--mantine-color-ink-filled": ink[9],
    "--mantine-color-ink-filled-hover": ink[8],
    "--on-ink": "white",
    "--mantine-color-ink-light-color": ink[9],
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-anchor": "var(--mantine-color-blue-9)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    // Words on a light tint of the same colour: Mantine's own are too pale at this size.
    "--mantine-color-green-light-color": "#1c6428",
    "--mantine-color-amber-light-color": amber[9],
    "--mantine-color-red-light-color": "#a01c1c",
    "--mantine-color-disabled-color": "#5c6670",
  },
  dark: {
    ...filledAmber,
    "--mantine-color-ink-filled": ink[1],
    "--mantine-color-ink-filled-hover": "white",
    "--on-ink": ink[9],
    "--mantine-color-ink-light-color": ink[1],
    "--mantine-color-amber-light-color": amber[3],
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-placeholder": "#a3b0bf",
    "--mantine-color-anchor": "var(--mantine-color-blue-3)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    // Badges and buttons that say nothing stand out from the page all the same.
    "--mantine-color-gray-light": "#33404f",
    "--mantine-color-gray-light-hover": "#3f4d5e",
    "--mantine-color-gray-light-color": ink[1],
    "--mantine-color-ink-light": "#3f4d5e",
    "--mantine-color-ink-light-hover": "#4a5a6d",
    "--mantine-color-disabled": dark[5],
    "--mantine-color-disabled-color": "#a8b4c2",
    // Mantine's own are white: links and states lose their colour.
    "--mantine-color-blue-light-color": "var(--mantine-color-blue-3)",
    "--mantine-color-green-light-color": "var(--mantine-color-green-3)",
  },
});

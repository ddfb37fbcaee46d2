// Which key sends a text: Enter, and Ctrl+Enter where the text has several lines. Pure.

type Key = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly nativeEvent: { readonly isComposing: boolean };
};

export function isSendKey({ key, ctrlKey, metaKey, shiftKey, nativeEvent }: Key, text: string): boolean {
  // Enter also takes what an input method proposes.
  if (key !== "Enter" || nativeEvent.isComposing) return false;
  return ctrlKey || metaKey || (!shiftKey && !text.includes("\n"));
}

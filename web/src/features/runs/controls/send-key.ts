// Which key sends a text: Enter, as in chats. Shift+Enter begins a new line. Pure.

type Key = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly nativeEvent: { readonly isComposing: boolean };
};

export function isSendKey({ key, ctrlKey, metaKey, shiftKey, nativeEvent }: Key): boolean {
  // Enter also takes what an input method proposes.
  if (key !== "Enter" || nativeEvent.isComposing) return false;
  return ctrlKey || metaKey || !shiftKey;
}

// Texts of others that were handed over with an objective or a message, closed until someone opens one.

import { Text } from "@mantine/core";

type ForeignTextsProps = { readonly texts: readonly { readonly title: string; readonly text: string }[] };

export function ForeignTexts({ texts }: ForeignTextsProps) {
  return texts.map(({ title, text }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
    <details key={at}>
      <Text component="summary" size="sm" c="dimmed" mt="xs" className="breakable">
        Someone else’s text{title === "" ? "" : `: ${title}`}, {text.length.toLocaleString("en")} characters
      </Text>
      <Text size="sm" component="div" className="pre-wrap" mah={400} dir="auto">
        {text}
      </Text>
    </details>
  ));
}

// The text of a file as it is.

import { Alert, Text } from "@mantine/core";
import { tone } from "../../lib/tones.ts";

type FileTextProps = {
  readonly file: {
    readonly text: string;
    readonly is_cut: boolean;
    readonly problem: string | null;
  };
};

export function FileText({ file }: FileTextProps) {
  return (
    <>
      {file.problem === null ? null : (
        <Alert color={tone.failure} p="xs" mb="xs">
          {file.problem}
        </Alert>
      )}
      {file.is_cut ? (
        <Text size="sm" c="dimmed">
          Only the end is shown.
        </Text>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="agent-pre" tabIndex={0} dir="auto">
        {file.text === "" ? "(empty)" : file.text}
      </pre>
    </>
  );
}

// The fields of one check of one's own; each kind asks for something else.

import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { entityKinds } from "../../../../src/protocol/kinds.ts";
import { wordsOf } from "../wording.ts";
import type { CheckDraft, HomeworkDraft } from "./homework-draft.ts";

/** A form that has checks: the composer's, or that of a task. */
export type ChecksForm = {
  readonly values: { readonly checks: readonly CheckDraft[]; readonly engine: HomeworkDraft["engine"] };
  // biome-ignore lint/suspicious/noExplicitAny: what the form library hands to an input
  readonly getInputProps: (path: string) => any;
  readonly insertListItem: (path: "checks", item: CheckDraft) => void;
  readonly removeListItem: (path: "checks", position: number) => void;
};

type CheckFormProps = { readonly form: ChecksForm; readonly position: number };

const kinds = entityKinds.map((value) => ({ value, label: wordsOf(value) }));
const figure = { min: 0, thousandSeparator: ",", hideControls: true, clampBehavior: "none" } as const;

export function CheckForm({ form, position }: CheckFormProps) {
  const field = (name: keyof CheckDraft) => form.getInputProps(`checks.${position}.${name}`);
  const kindSelect = <Select label="Kind of thing" data={kinds} allowDeselect={false} {...field("entity")} />;
  switch (form.values.checks[position]?.kind) {
    case "entity_exists":
      return (
        <Pair>
          {kindSelect}
          <TextInput label="Title contains" placeholder="Part of the title" {...field("titleLike")} />
        </Pair>
      );
    case "entity_count":
      return (
        <Pair>
          {kindSelect}
          <NumberInput label="At least" placeholder="How many" {...figure} {...field("atLeast")} />
        </Pair>
      );
    case "document_has":
      return <DocumentFields field={field} />;
    case "judge":
      return (
        <Textarea
          label="The judge agrees that"
          placeholder="Every step says who does it and by when"
          autosize
          minRows={2}
          maxRows={8}
          {...field("rubric")}
        />
      );
    case "command_succeeds":
      return (
        <TextInput
          label="Command"
          description="Runs in the work folder, without a shell. Put words with spaces in quotes."
          placeholder="npm test"
          {...field("command")}
        />
      );
    case "file_exists":
      return <TextInput label="Path in the work folder" placeholder="docs/plan.md" {...field("path")} />;
    case "http_ok":
      return <TextInput label="Address" type="url" placeholder="https://example.com/" {...field("url")} />;
    case undefined:
      return null;
  }
}

type Field = (name: keyof CheckDraft) => ReturnType<ChecksForm["getInputProps"]>;

function DocumentFields({ field }: { readonly field: Field }) {
  return (
    <>
      <TextInput
        label="Title contains"
        placeholder="Empty: all documents of the run together"
        {...field("titleLike")}
      />
      <Textarea label="Headings, one per line" autosize minRows={2} maxRows={8} {...field("headings")} />
      <Pair>
        <NumberInput label="Minimum words" {...figure} {...field("wordsAtLeast")} />
        <NumberInput label="Minimum sources" {...figure} {...field("sourcesAtLeast")} />
      </Pair>
    </>
  );
}

function Pair({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      {children}
    </SimpleGrid>
  );
}

// Where work is handed over: an objective for homework, or a question for a chat. Used on the list of runs, on a project's
// page and in chat. It is low on purpose: what needs the reader stands below it.

import { Alert, Group, Input, Paper, SegmentedControl, Stack, Textarea } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type KeyboardEvent, lazy, type Ref, Suspense, useId, useState } from "react";
import { messageOf } from "../../lib/failure.ts";
import "./composer.css";
import { tone } from "../../lib/tones.ts";
import { ForeignTextField } from "../foreign-text-field.tsx";
import { RowsSkeleton } from "../skeletons.tsx";
import { AdvancedButton } from "./advanced-button.tsx";
import { ComposerStart } from "./composer-start.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import { StartedCard } from "./started-card.tsx";
import { type ComposerPreset, type Composing, useComposer } from "./use-composer.ts";

// Its fields are many and heavy, and most people never open them.
const AdvancedFields = lazy(async () => ({ default: (await import("./advanced-fields.tsx")).AdvancedFields }));

type ComposerProps = ComposerPreset & {
  /** The field for the objective, so that a parent can put the focus there. */
  readonly fieldRef?: Ref<HTMLTextAreaElement>;
  /** Where something around it is its frame already. */
  readonly isBare?: boolean;
  /** One line, until someone writes in it. */
  readonly isCompact?: boolean;
};

export function Composer({ fieldRef, isBare = false, isCompact = false, ...preset }: ComposerProps) {
  const composing = useComposer(preset);
  const { form, started } = composing;
  const [isOpened, setOpened] = useState(!isCompact || form.values.text !== "" || form.values.mode === "chat");
  const isOpen = isOpened || !isCompact || Object.keys(form.errors).length > 0;
  return (
    <Stack gap="sm">
      <Paper
        component="section"
        aria-label="Start something"
        withBorder={!isBare}
        p={isBare ? 0 : isOpen ? "md" : "xs"}
      >
        <form onSubmit={composing.submit} noValidate>
          <div className={isOpen ? "composer-parts" : "composer-line"}>
            <Words
              composing={composing}
              isOpen={isOpen}
              onWrite={() => setOpened(true)}
              {...(fieldRef ? { fieldRef } : {})}
            />
            {isOpen ? (
              <ForeignTextField
                value={form.values.foreignText}
                onChange={(text) => form.setFieldValue("foreignText", text)}
                error={form.errors.foreignText}
                isReadOnly={composing.isBusy}
              />
            ) : null}
            {isOpen && form.values.mode === "homework" ? <Settings composing={composing} /> : null}
            {composing.failure ? (
              <Alert color={tone.failure} title="Not sent" icon={<IconAlertTriangle aria-hidden />} role="alert">
                {messageOf(composing.failure)}
              </Alert>
            ) : null}
            <ComposerStart
              composing={composing}
              isOpen={isOpen}
              onChoose={() => {
                setOpened(true);
                composing.openAdvanced();
              }}
            />
          </div>
        </form>
      </Paper>
      {started ? <StartedCard started={started} onDismiss={composing.dismissStarted} /> : null}
    </Stack>
  );
}

function Settings({ composing }: { readonly composing: Composing }) {
  const advancedId = useId();
  return (
    <>
      <div className="composer-settings">
        <ScopeFields form={composing.form} />
        <AdvancedButton composing={composing} advancedId={advancedId} />
      </div>
      {composing.isAdvancedOpen ? (
        <Suspense fallback={<RowsSkeleton />}>
          <AdvancedFields form={composing.form} id={advancedId} />
        </Suspense>
      ) : null}
    </>
  );
}

const modes = [
  { value: "homework", label: "Homework" },
  { value: "chat", label: "Chat" },
];

const wording = {
  homework: ["What do you want done?", "Compare three heat pumps for an old house, and write a recommendation"],
  chat: ["What do you want to know?", "Ask anything about your projects and runs"],
} as const;

type WordsProps = {
  readonly composing: Composing;
  /** Closed, it is the field alone. */
  readonly isOpen: boolean;
  readonly onWrite: () => void;
  readonly fieldRef?: Ref<HTMLTextAreaElement>;
};

function Words({ composing: { form, isBusy }, isOpen, onWrite, fieldRef }: WordsProps) {
  const fieldId = useId();
  const [label, placeholder] = wording[form.values.mode];
  const text = form.getInputProps("text");
  return (
    <div>
      {isOpen ? (
        <Group justify="space-between" gap="xs" mb={6}>
          <Input.Label htmlFor={fieldId}>{label}</Input.Label>
          <SegmentedControl size="xs" aria-label="Homework or chat" data={modes} {...form.getInputProps("mode")} />
        </Group>
      ) : null}
      <Textarea
        id={fieldId}
        key="words"
        {...(isOpen ? {} : { "aria-label": label })}
        placeholder={isOpen ? placeholder : label}
        autosize
        minRows={isOpen ? 2 : 1}
        maxRows={14}
        dir="auto"
        readOnly={isBusy}
        {...(fieldRef ? { ref: fieldRef } : {})}
        {...text}
        onFocus={() => {
          text.onFocus?.();
          onWrite();
        }}
        onKeyDown={sendOnCtrlEnter}
      />
    </div>
  );
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

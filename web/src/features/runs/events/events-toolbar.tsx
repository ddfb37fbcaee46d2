// Above the events: what to show of them, whether to follow the end, and all of them as a file.

import { Button, Group, MultiSelect, Switch, TextInput } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { eventKinds } from "../../../../../src/protocol/said-event.ts";
import type { EventLog } from "./event-log.ts";
import { describeKind, type EventFilter } from "./event-words.ts";

type EventsToolbarProps = {
  readonly runId: string;
  readonly log: EventLog;
  readonly filter: EventFilter;
  readonly onFilter: (filter: EventFilter) => void;
  /** Null where nothing more comes. */
  readonly isFollowing: boolean | null;
  readonly onFollow: (isFollowing: boolean) => void;
};

const types = eventKinds.map((value) => ({ value, label: describeKind(value).name }));

export function EventsToolbar({ runId, log, filter, onFilter, isFollowing, onFollow }: EventsToolbarProps) {
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Text"
        placeholder="Anywhere in an event"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.text}
        maxLength={200}
        onChange={(change) => onFilter({ ...filter, text: change.currentTarget.value })}
        className="row-text"
      />
      <MultiSelect
        label="Types"
        placeholder={filter.types.length === 0 ? "All types" : ""}
        data={types}
        value={[...filter.types]}
        onChange={(chosen) => onFilter({ ...filter, types: chosen })}
        clearable
        clearButtonProps={{ "aria-label": "Show all types" }}
        className="row-text"
      />
      {isFollowing === null ? null : (
        <Switch
          label="Follow the end"
          checked={isFollowing}
          onChange={(change) => onFollow(change.currentTarget.checked)}
          my={8}
        />
      )}
      <DownloadButton runId={runId} log={log} />
    </Group>
  );
}

/** One event per line, as programs like it. */
function DownloadButton({ runId, log }: Pick<EventsToolbarProps, "runId" | "log">) {
  const [isLoading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      const lines = (await log.loadAll()).map((event) => `${JSON.stringify(event)}\n`);
      saveAs(new Blob(lines, { type: "application/x-ndjson" }), `run-${runId}-events.jsonl`);
    } catch {
      // Said above the list, with a way to try again.
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isLoading}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void download()}
    >
      Download all
    </Button>
  );
}

function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it up by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

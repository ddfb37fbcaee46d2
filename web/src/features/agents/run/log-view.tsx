// The log of a run: what the agent said, with thinking and tool calls folded, or the lines as they are. It stays at the end while one
// reads the end.

import { Button, Center, Group, SegmentedControl, Text } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Block, readBlocks } from "./agent-events.ts";
import type { BookLine } from "./log-book.ts";

type LogViewProps = {
  readonly lines: readonly BookLine[];
  readonly isActive: boolean;
  readonly hasEarlier: boolean;
  readonly onEarlier: () => Promise<void>;
};

type Shown = "all" | "stdout" | "stderr";
type View = "rendered" | "raw";

/** Lines in the page at once; earlier ones are shown when asked for. */
const step = 1_000;
/** Pixels from the end that still count as reading the end. */
const nearEnd = 60;

export function LogView({ lines, isActive, hasEarlier, onEarlier }: LogViewProps) {
  const [stream, setStream] = useState<Shown>("all");
  const [view, setView] = useState<View>("rendered");
  const [count, setCount] = useState(step);
  const [isLoading, setLoading] = useState(false);
  const wanted = useMemo(() => lines.filter((line) => stream === "all" || line.stream === stream), [lines, stream]);
  const shown = wanted.slice(-count);
  const { box, isAtEnd, toEnd, look } = useStayAtEnd(shown);
  const more = async () => {
    if (wanted.length <= count && hasEarlier) {
      setLoading(true);
      await onEarlier().finally(() => setLoading(false));
    }
    setCount(count + step);
  };
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label="How lines are shown"
          value={view}
          onChange={(value) => setView(value as View)}
          data={[
            { value: "rendered", label: "Readable" },
            { value: "raw", label: "Raw" },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label="Which output"
          value={stream}
          onChange={(value) => setStream(value as Shown)}
          data={[
            { value: "all", label: "All" },
            { value: "stdout", label: "Output" },
            { value: "stderr", label: "Errors" },
          ]}
        />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="log" ref={box} onScroll={look} tabIndex={0} aria-label="Log" aria-busy={false}>
        {wanted.length > count || hasEarlier ? (
          <Center pt="xs">
            <Button size="xs" variant="default" loading={isLoading} onClick={() => void more()}>
              Show earlier lines
            </Button>
          </Center>
        ) : null}
        {shown.length === 0 ? <Nothing isActive={isActive} stream={stream} /> : null}
        <ol className="log-list">
          {shown.map((line, index) => (
            <Line
              key={`${line.stream}${line.offset}`}
              line={line}
              view={view}
              hasTime={index === 0 || secondOf(line) !== secondOf(shown[index - 1])}
            />
          ))}
        </ol>
      </section>
      {isAtEnd ? null : (
        <Center mt="xs">
          <Button size="xs" variant="default" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={toEnd}>
            Go to the end
          </Button>
        </Center>
      )}
    </>
  );
}

function Nothing({ isActive, stream }: { readonly isActive: boolean; readonly stream: Shown }) {
  const what = stream === "stderr" ? "No errors were printed" : "Nothing was printed";
  return (
    <Text size="sm" c="dimmed" p="md">
      {isActive ? `${what} yet. Lines appear here as they come.` : `${what}.`}
    </Text>
  );
}

function useStayAtEnd(lines: readonly BookLine[]) {
  const box = useRef<HTMLElement>(null);
  const follows = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const look = () => {
    const element = box.current;
    if (element === null) return;
    follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    setAtEnd(follows.current);
  };
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useLayoutEffect(() => {
    if (follows.current) toEnd();
  }, [lines.length, lines.at(-1)?.text.length]);
  return { box, isAtEnd, toEnd, look };
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The time is shown once for all lines of a second. */
const secondOf = (line: BookLine | undefined): string => `${line?.stream} ${line?.at?.slice(0, 19)}`;

type LineProps = { readonly line: BookLine; readonly view: View; readonly hasTime: boolean };

const Line = memo(({ line, view, hasTime }: LineProps) => {
  const blocks = view === "rendered" && line.stream === "stdout" ? readBlocks(line.text) : null;
  if (blocks?.length === 0) return null;
  return (
    <li className="log-line" data-stream={line.stream}>
      <span className="log-time" title={line.at ?? undefined}>
        {hasTime && line.at !== null ? clock.format(new Date(line.at)) : ""}
        {hasTime && line.stream === "stderr" ? " err" : ""}
      </span>
      <div className="log-body">
        {blocks === null ? (
          <PlainLine line={line} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change their order
          blocks.map((block, index) => <BlockView key={index} block={block} />)
        )}
      </div>
    </li>
  );
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours and cursor moves of terminals are what is taken out
const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

function PlainLine({ line }: { readonly line: BookLine }) {
  return (
    <>
      <pre className="log-text" dir="auto">
        {line.text.replaceAll(escapes, "") || " "}
      </pre>
      {line.bytes_left_out > 0 ? (
        <span className="log-note">{line.bytes_left_out.toLocaleString("en")} more bytes are in the file</span>
      ) : null}
    </>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "speech":
      return (
        <p className="log-speech" dir="auto">
          {block.text}
        </p>
      );
    case "error":
      return (
        <Text size="sm" c="var(--mantine-color-error)" className="log-speech">
          {block.text}
        </Text>
      );
    case "note":
      return <span className="log-note">{block.text}</span>;
    case "thinking":
      return <Fold title="Thinking" text={block.text} />;
    case "event":
      return <Fold title={block.title} text={block.text} />;
    case "tool":
      return <Fold title={block.title} text={block.text} isCode />;
    case "result":
      return block.text === "" ? (
        <span className="log-note">{block.isFailed ? block.title : "Done"}</span>
      ) : (
        <Fold title={block.title} text={block.text} isFailed={block.isFailed} />
      );
    default:
      return block satisfies never;
  }
}

type FoldProps = {
  readonly title: string;
  readonly text: string;
  readonly isCode?: boolean;
  readonly isFailed?: boolean;
};

function Fold({ title, text, isCode = false, isFailed = false }: FoldProps) {
  return (
    <details className="log-block" {...(isFailed ? { "data-failed": true } : {})}>
      <summary>{isCode ? <code>{title}</code> : title}</summary>
      <pre className="log-text agent-pre" dir="auto">
        {text}
      </pre>
    </details>
  );
}

// The decision on questions and on a plan: send the answers, approve the plan, or say what to change in it.

import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { isSendKey } from "../controls/send-key.ts";
import { type Answer, approve, change, reject } from "./answers.ts";
import { DecisionBar } from "./decision-bar.tsx";

type Sending = { readonly offBecause: string | null; readonly isBusy: boolean };

type AnswerBarProps = Sending & { readonly count: number; readonly onSend: () => void };

export function AnswerBar({ count, offBecause, isBusy, onSend }: AnswerBarProps) {
  return (
    <DecisionBar says="The run is waiting for your answer.">
      <ControlButton
        says="Sends it to the run, which continues"
        offBecause={offBecause}
        loading={isBusy}
        onClick={onSend}
      >
        {count === 1 ? "Send answer" : `Send ${count} answers`}
      </ControlButton>
    </DecisionBar>
  );
}

type PlanBarProps = Sending & {
  readonly answer: Answer;
  /** As it is being written. */
  readonly onAnswer: (answer: Answer) => void;
  readonly onSend: (answer: Answer) => void;
};

export function PlanBar({ answer, offBecause, isBusy, onAnswer, onSend }: PlanBarProps) {
  const [isChanging, setChanging] = useState(answer.words !== "");
  const common = { loading: isBusy } as const;
  if (!isChanging)
    return (
      <DecisionBar says="Review the plan. Approve it, or say what to change.">
        <Button variant="default" onClick={() => setChanging(true)}>
          Request changes
        </Button>
        <ControlButton
          {...common}
          says="The run works by this plan"
          offBecause={offBecause}
          onClick={() => onSend({ option: approve, words: "" })}
        >
          Approve plan
        </ControlButton>
      </DecisionBar>
    );
  const off = offBecause ?? (answer.words.trim() === "" ? "Write what should be different" : null);
  const send = () => onSend({ option: change, words: answer.words });
  const wish = (
    <Textarea
      label="What should be different?"
      autosize
      minRows={1}
      maxRows={6}
      maxLength={runLimits.message}
      mb="xs"
      dir="auto"
      autoFocus
      value={answer.words}
      onChange={(event) => onAnswer({ option: change, words: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (!isSendKey(event)) return;
        event.preventDefault();
        if (off === null) send();
      }}
    />
  );
  return (
    <DecisionBar says="The run plans again and asks again." above={wish}>
      <Button variant="subtle" onClick={() => setChanging(false)}>
        Back
      </Button>
      <ControlButton
        {...common}
        variant="default"
        says="The run plans again from the beginning"
        offBecause={offBecause}
        onClick={() => onSend({ option: reject, words: "" })}
      >
        Reject plan
      </ControlButton>
      <ControlButton {...common} says="The run plans again with this" offBecause={off} onClick={send}>
        Send changes
      </ControlButton>
    </DecisionBar>
  );
}

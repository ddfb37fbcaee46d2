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

/** The words of the bar; what each button does is said where it is pointed at. */
const words = {
  plan: {
    says: "Review the plan. Approve it, or say what to change.",
    approve: ["Approve plan", "The run works by this plan"],
    reject: ["Reject plan", "The run plans again from the beginning"],
    wish: ["Request changes", "Send changes", "The run plans again with this"],
    again: "The run plans again and asks again.",
  },
  checks: {
    says: "Approve the change, or keep your criteria.",
    approve: ["Approve change", "The run continues with the changed criteria"],
    reject: ["Keep my criteria", "The run continues with the criteria as they are"],
    wish: ["Say something else", "Send answer", "The run continues with the criteria as they are, and reads this"],
    again: "Your criteria stay as they are until you approve a change.",
  },
} as const;

type ApprovalBarProps = Sending & {
  readonly about: keyof typeof words;
  readonly answer: Answer;
  /** As it is being written. */
  readonly onAnswer: (answer: Answer) => void;
  readonly onSend: (answer: Answer) => void;
};

export function ApprovalBar({ about, answer, offBecause, isBusy, onAnswer, onSend }: ApprovalBarProps) {
  const [isWriting, setWriting] = useState(answer.words !== "");
  const { says, approve: yes, reject: no, wish, again } = words[about];
  const common = { loading: isBusy } as const;
  const rejecting = (
    <ControlButton
      {...common}
      variant="default"
      says={no[1]}
      offBecause={offBecause}
      onClick={() => onSend({ option: reject, words: "" })}
    >
      {no[0]}
    </ControlButton>
  );
  if (!isWriting)
    return (
      <DecisionBar says={says}>
        <Button variant={about === "plan" ? "default" : "subtle"} onClick={() => setWriting(true)}>
          {wish[0]}
        </Button>
        {about === "plan" ? null : rejecting}
        <ControlButton
          {...common}
          says={yes[1]}
          offBecause={offBecause}
          onClick={() => onSend({ option: approve, words: "" })}
        >
          {yes[0]}
        </ControlButton>
      </DecisionBar>
    );
  const off = offBecause ?? (answer.words.trim() === "" ? "Write what should be different" : null);
  const send = () => onSend({ option: change, words: answer.words });
  return (
    <DecisionBar
      says={again}
      above={<WishField answer={answer} onAnswer={onAnswer} onSend={off === null ? send : null} />}
    >
      <Button variant="subtle" onClick={() => setWriting(false)}>
        Back
      </Button>
      {rejecting}
      <ControlButton {...common} says={wish[2]} offBecause={off} onClick={send}>
        {wish[1]}
      </ControlButton>
    </DecisionBar>
  );
}

type WishFieldProps = Pick<ApprovalBarProps, "answer" | "onAnswer"> & { readonly onSend: (() => void) | null };

const WishField = ({ answer, onAnswer, onSend }: WishFieldProps) => (
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
      onSend?.();
    }}
  />
);

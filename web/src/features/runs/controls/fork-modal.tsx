// A new run that goes on from an iteration of this one, with another objective, other budgets or another model.

import { Autocomplete, NumberInput, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Run, routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { iterationsDone } from "../../../../../src/protocol/run-view.ts";
import { modelsQuery } from "../../../lib/data/runs.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { useRun } from "../run-context.tsx";
import { BudgetFields } from "./budget-fields.tsx";
import { type BudgetForm, changedBudgets, toBudgetForm } from "./budget-form.ts";

type ForkForm = {
  readonly iteration: number;
  readonly objective: string;
  readonly model: string;
  readonly budgets: BudgetForm;
};

const roles = ["planner", "executor", "repair", "summary", "judge"] as const;

type ForkModalProps = { readonly iteration?: number; readonly onClose: () => void };

export function ForkModal({ iteration, onClose }: ForkModalProps) {
  const { run, view } = useRun();
  const last = Math.max(1, iterationsDone(view));
  const [form, setForm] = useState<ForkForm>({
    iteration: iteration ?? last,
    objective: run.objective,
    model: "",
    budgets: toBudgetForm(run.budgets),
  });
  const navigate = useNavigate();
  const fork = useCreate(routes.runs.fork, {
    onSuccess: ({ id }) => {
      onClose();
      void navigate({ to: "/homework/runs/$runId", params: { runId: id } });
    },
  });
  return (
    <FormModal
      title="Fork this run"
      size="lg"
      onClose={onClose}
      onSubmit={() => fork.mutate({ params: { runId: run.id }, body: bodyOf(run, form) })}
      action="Fork"
      isBusy={fork.isPending}
    >
      <Text size="sm">
        A new run begins with the plan, the promises and the checks as they were after that iteration, and has used
        nothing yet. This run stays as it is.
      </Text>
      <NumberInput
        label="Go on from iteration"
        description={`From 1 to ${last}, the last one that ended`}
        required
        min={1}
        max={last}
        allowDecimal={false}
        value={form.iteration}
        onChange={(value) => setForm({ ...form, iteration: Number(value) })}
      />
      <ForkObjective form={form} onChange={setForm} />
      <BudgetFields form={form.budgets} onChange={(budgets) => setForm({ ...form, budgets })} />
      <ForkModel form={form} onChange={setForm} />
    </FormModal>
  );
}

type PartProps = { readonly form: ForkForm; readonly onChange: (form: ForkForm) => void };

function ForkObjective({ form, onChange }: PartProps) {
  return (
    <Textarea
      label="Objective"
      required
      autosize
      minRows={3}
      maxRows={12}
      maxLength={runLimits.objective}
      dir="auto"
      value={form.objective}
      onChange={(event) => onChange({ ...form, objective: event.currentTarget.value })}
    />
  );
}

function ForkModel({ form, onChange }: PartProps) {
  const { data } = useQuery(modelsQuery);
  return (
    <Autocomplete
      label="Model"
      description="For everything the new run asks; empty: the same as this one"
      placeholder="The same as this run"
      data={[...(data?.choices ?? [])]}
      value={form.model}
      onChange={(model) => onChange({ ...form, model })}
    />
  );
}

function bodyOf(run: Run, { iteration, objective, model, budgets }: ForkForm) {
  const name = model.trim();
  return {
    iteration,
    budgets: changedBudgets(run.budgets, budgets),
    ...(objective.trim() === run.objective.trim() ? {} : { objective }),
    ...(name === "" ? {} : { models: Object.fromEntries(roles.map((role) => [role, name])) }),
  };
}

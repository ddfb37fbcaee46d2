// What one person may use, or everyone, as admins set it. An empty field is no limit; for one person, it is what holds for everyone.

import { NumberInput, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { showDone } from "../../ui/toast.ts";
import { settingKeys } from "./settings-queries.ts";

export type Quota = RouteResult<typeof routes.identity.setQuota>;

type QuotaModalProps = {
  /** Null: everyone. */
  readonly person: { readonly id: string; readonly name: string } | null;
  readonly quota: Quota;
  readonly onClose: () => void;
};

/** An empty number field holds an empty text. */
const toField = (value: number | null): number | string => value ?? "";
const toValue = (field: number | string): number | null => (typeof field === "number" ? field : null);

const bytesPerMegabyte = 1_000_000;
const toBytes = (megabytes: number | null) => (megabytes === null ? null : Math.round(megabytes * bytesPerMegabyte));

export function QuotaModal({ person, quota, onClose }: QuotaModalProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      monthly: toField(quota.monthly_usd),
      run: toField(quota.run_cost_usd),
      runs: toField(quota.runs_at_once),
      megabytes: toField(quota.storage_bytes === null ? null : quota.storage_bytes / bytesPerMegabyte),
      models: quota.allowed_models ?? [],
    },
  });
  const save = useMutation({
    mutationFn: ({ monthly, run, runs, megabytes, models }: typeof form.values) =>
      api(routes.identity.setQuota, {
        body: {
          user_id: person?.id ?? null,
          monthly_usd: toValue(monthly),
          run_cost_usd: toValue(run),
          runs_at_once: toValue(runs),
          storage_bytes: toBytes(toValue(megabytes)),
          allowed_models: models.length === 0 ? null : models,
        },
      }),
    onSuccess: () => {
      showDone("The quota was saved");
      void queryClient.invalidateQueries({ queryKey: settingKeys.quotas });
      onClose();
    },
  });
  const empty = person === null ? "No limit" : "As for everyone";
  return (
    <FormModal
      title={person === null ? "Quota of everyone" : `Quota of ${person.name}`}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      action="Save"
      isBusy={save.isPending}
    >
      <NumberInput
        label="Monthly budget"
        description="All model calls in a calendar month"
        prefix="$"
        min={0}
        placeholder={empty}
        data-autofocus
        {...form.getInputProps("monthly")}
      />
      <NumberInput
        label="Cost limit of a run"
        description="For runs that set none"
        prefix="$"
        min={0}
        placeholder={empty}
        {...form.getInputProps("run")}
      />
      <NumberInput
        label="Runs at once"
        min={1}
        allowDecimal={false}
        placeholder={empty}
        {...form.getInputProps("runs")}
      />
      <NumberInput
        label="Storage"
        description="Text of everything the person has made"
        suffix=" MB"
        min={0}
        placeholder={empty}
        {...form.getInputProps("megabytes")}
      />
      <TagsInput
        label="Allowed models"
        description="Besides those of the installation, as provider/model. Empty: any."
        {...form.getInputProps("models")}
      />
    </FormModal>
  );
}

// The form of HOMЯ's settings.

import { useForm } from "@mantine/form";
import { type ConfigDraft, problemsOfConfig } from "./config-draft.ts";

export const useConfigForm = (initialValues: ConfigDraft) =>
  useForm<ConfigDraft>({ initialValues, validate: problemsOfConfig });

export type ConfigForm = ReturnType<typeof useConfigForm>;

// The composer's form: filled from what was left unsent here, kept while one types, sent as homework or as a chat.

import { useForm } from "@mantine/form";
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { meQuery } from "../../lib/data/me.ts";
import { ownTimeZone } from "../../lib/dates.ts";
import { drafts } from "../../lib/draft-storage.ts";
import { useCreate } from "../../lib/use-create.ts";
import { type ComposerMode, emptyDraft, type HomeworkDraft, isEmptyDraft, readDraft } from "./homework-draft.ts";
import { type FieldErrors, isAdvanced, problemsOf, refusalOf, requestOf } from "./homework-request.ts";
import { useNewChat } from "./use-new-chat.ts";

export type ComposerPreset = {
  readonly mode?: ComposerMode | undefined;
  /** Where it works unless one chooses otherwise. */
  readonly projectId?: string | undefined;
  /** The objective that someone may change and send. */
  readonly text?: string | undefined;
};

/** Homework that was just handed over. */
export type Started = { readonly runId: string; readonly objective: string; readonly placeInLine: number | null };

export function useComposer(preset: ComposerPreset) {
  const queryClient = useQueryClient();
  const draftKey = useDraftKey(preset);
  const [started, setStarted] = useState<Started | null>(null);
  const [isAdvancedOpen, setAdvancedOpen] = useState(false);
  const form = useForm<HomeworkDraft>({
    initialValues: startDraft(readDraft(drafts.load(draftKey), preset), preset),
    validate: problemsOf,
    onValuesChange: (values) => drafts.keep(draftKey, isEmptyDraft(values, preset) ? null : values),
  });
  useWindowEvent("pagehide", drafts.flush);

  const clear = () => {
    form.setValues(emptyDraft({ ...preset, mode: form.values.mode }));
    form.clearErrors();
    setAdvancedOpen(false);
    drafts.keep(draftKey, null);
  };
  const showErrors = (errors: FieldErrors) => {
    form.setErrors(errors);
    if (Object.keys(errors).some(isAdvanced)) setAdvancedOpen(true);
    const [first] = Object.keys(errors);
    // Once the fields are there.
    setTimeout(() => first !== undefined && form.getInputNode(first)?.focus());
  };
  const start = useCreate(routes.runs.create, {
    showsOwnErrors: true,
    onSuccess: ({ run_id: runId, place_in_line: placeInLine }) => {
      setStarted({ runId, objective: form.values.text.trim(), placeInLine });
      clear();
      void queryClient.invalidateQueries({ queryKey: keys.runs });
    },
  });
  const chat = useNewChat(clear);
  const isBusy = start.isPending || chat.isPending;
  const send = (draft: HomeworkDraft) => {
    if (isBusy) return;
    if (draft.mode === "chat")
      chat.mutate({ text: draft.text.trim(), foreignText: draft.foreignText, projectId: onlyProject(draft) });
    else
      start.mutate(
        { body: { ...requestOf(draft), time_zone: ownTimeZone() } },
        { onError: (error) => showErrors(refusalOf(error)) },
      );
  };
  return {
    form,
    isBusy,
    /** What no field is about. */
    failure: failureOf(form.values.mode === "chat" ? chat.error : start.error),
    submit: form.onSubmit(send, (errors) => showErrors(errors as FieldErrors)),
    started,
    dismissStarted: () => setStarted(null),
    isAdvancedOpen,
    openAdvanced: () => setAdvancedOpen(true),
    toggleAdvanced: () => setAdvancedOpen((open) => !open),
  };
}

/** What was left unsent here goes before what the page proposes. */
const startDraft = (draft: HomeworkDraft, { text = "" }: ComposerPreset): HomeworkDraft =>
  draft.text === "" ? { ...draft, text } : draft;

export type Composing = ReturnType<typeof useComposer>;
export type ComposerForm = Composing["form"];

/** People who share a browser do not read each other's drafts. */
function useDraftKey({ projectId }: ComposerPreset): string {
  const { user } = useSuspenseQuery(meQuery).data;
  return `homework-composer:${user.id}:${projectId ?? "everything"}`;
}

const onlyProject = ({ scope, projectIds }: HomeworkDraft) => (scope === "project" ? projectIds[0] : undefined);

const failureOf = (error: Error | null): Error | null =>
  error === null || Object.keys(refusalOf(error)).length > 0 ? null : error;

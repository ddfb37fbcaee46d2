// Changing one's password, or setting the first one; other sessions end by that.

import { Button, Group, Paper, PasswordInput, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { codeOf, messageOf } from "../../lib/failure.ts";
import { showDone } from "../../ui/toast.ts";
import { settingKeys } from "./settings-queries.ts";

const shortest = 10;

export function PasswordForm() {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { current_password: "", new_password: "" },
    validate: { new_password: (value) => (value.length < shortest ? `At least ${shortest} characters` : null) },
  });
  const change = useMutation({
    mutationFn: ({ current_password, new_password }: typeof form.values) =>
      api(routes.identity.changePassword, {
        body: current_password === "" ? { new_password } : { current_password, new_password },
      }),
    onSuccess: () => {
      showDone("Your password was changed; your other sessions have ended");
      form.reset();
      void queryClient.invalidateQueries({ queryKey: settingKeys.sessions });
    },
    onError: (error) => {
      const code = codeOf(error);
      const isAboutCurrent = code === "wrong_credentials" || code === "forbidden";
      form.setFieldError(isAboutCurrent ? "current_password" : "new_password", messageOf(error));
    },
    meta: { showsOwnErrors: true },
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="password">
      <Title order={2} size="h4" id="password" mb="sm">
        Password
      </Title>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw={420}>
          <PasswordInput
            label="Current password"
            description="Leave this empty if you have only signed in by link so far"
            autoComplete="current-password"
            {...form.getInputProps("current_password")}
          />
          <PasswordInput
            label="New password"
            description={`At least ${shortest} characters`}
            required
            autoComplete="new-password"
            {...form.getInputProps("new_password")}
          />
          <Group>
            <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

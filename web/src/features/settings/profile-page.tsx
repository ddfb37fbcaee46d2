// One's own name, colour scheme and, where there are accounts, limits and password.

import {
  Button,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Me, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { instanceQuery, meQuery } from "../../lib/data/me.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { showDone } from "../../ui/toast.ts";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { PasswordForm } from "./password-form.tsx";
import { YourLimits } from "./your-limits.tsx";

const longestName = 200;

export function ProfilePage() {
  const me = useQuery(meQuery);
  const mode = useQuery(instanceQuery).data?.mode;
  usePageTitle("Profile", "Settings");
  return (
    <>
      <PageHeader title="Profile" />
      <Stack>
        <QueryView query={me}>{(loaded) => <NameForm key={loaded.user.id} me={loaded} />}</QueryView>
        <SchemeChoice />
        {mode === "accounts" ? <YourLimits /> : null}
        {mode === "accounts" ? <PasswordForm /> : null}
      </Stack>
    </>
  );
}

function NameForm({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: me.user.name },
    validate: { name: (value) => (value.trim() === "" ? "Enter your name" : null) },
  });
  const save = useMutation({
    mutationFn: (body: { name: string }) => api(routes.identity.updateMe, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(keys.me, saved);
      showDone("Your name was saved");
    },
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="you">
      <Title order={2} size="h4" id="you" mb="sm">
        You
      </Title>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack maw={420}>
          <TextInput label="Name" maxLength={longestName} autoComplete="name" {...form.getInputProps("name")} />
          <TextInput label="E-mail" value={me.user.email} readOnly />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={form.values.name === me.user.name}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="theme">
      <Title order={2} size="h4" id="theme" mb="xs">
        Theme
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        For this browser only.
      </Text>
      <SegmentedControl
        aria-label="Theme"
        data={[
          { value: "auto", label: "System" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
        value={colorScheme}
        onChange={(value) => setColorScheme(value)}
      />
    </Paper>
  );
}

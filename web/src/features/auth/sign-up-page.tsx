// Making an account, where the installation allows it. The first account manages the installation.

import { Alert, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { instanceQuery } from "../../lib/data/me.ts";
import { messageOf } from "../../lib/failure.ts";
import { tone } from "../../lib/tones.ts";
import { AnchorLink } from "../../ui/links.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { useLeaveWhenSignedIn, useSignedIn } from "./use-leave-when-signed-in.ts";

const shortestPassword = 10;

export function SignUpPage() {
  const { return_to } = useSearch({ from: "/sign-up" });
  const instance = useQuery(instanceQuery);
  usePageTitle("Create an account");
  useLeaveWhenSignedIn(return_to);
  return (
    <AuthFrame title="Create an account">
      <Stack>
        <QueryView query={instance}>
          {({ mode, sign_up }) =>
            mode === "accounts" && sign_up ? (
              <SignUpForm />
            ) : (
              <Text>Accounts are made by the person who runs this installation. Ask them for one.</Text>
            )
          }
        </QueryView>
        <Text size="sm" ta="center">
          <AnchorLink to="/sign-in" search={{ return_to }} underline="always">
            Sign in instead
          </AnchorLink>
        </Text>
      </Stack>
    </AuthFrame>
  );
}

function SignUpForm() {
  const signedIn = useSignedIn();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", email: "", password: "" },
    validate: {
      name: (value) => (value.trim() === "" ? "Say what to call you" : null),
      password: (value) => (value.length < shortestPassword ? `At least ${shortestPassword} characters` : null),
    },
  });
  const signUp = useMutation({
    mutationFn: (body: typeof form.values) => api(routes.identity.signUp, { body }),
    onSuccess: signedIn,
    meta: { showsOwnErrors: true },
  });
  return (
    <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
      <Stack>
        {signUp.error ? (
          <Alert color={tone.failure} role="alert">
            {messageOf(signUp.error)}
          </Alert>
        ) : null}
        <TextInput label="Name" required autoComplete="name" autoFocus {...form.getInputProps("name")} />
        <TextInput label="E-mail" type="email" required autoComplete="username" {...form.getInputProps("email")} />
        <PasswordInput
          label="Password"
          description={`At least ${shortestPassword} characters`}
          required
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={signUp.isPending}>
          Create the account
        </Button>
      </Stack>
    </form>
  );
}

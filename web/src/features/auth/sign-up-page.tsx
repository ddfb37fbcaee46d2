// Making an account, where the installation allows it. The admin's is made with the link that the server printed, which carries a
// token behind the `#`.

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
          {({ mode, sign_up, bootstrap }) =>
            mode === "accounts" && sign_up ? (
              <SignUpForm isSetup={bootstrap === "token"} />
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

/** `#setup=…` of the printed link. */
const readToken = (hash: string): string => new URLSearchParams(hash.slice(1)).get("setup") ?? "";

function SignUpForm({ isSetup }: { readonly isSetup: boolean }) {
  const signedIn = useSignedIn();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", email: "", password: "", token: readToken(window.location.hash) },
    validate: {
      name: (value) => (value.trim() === "" ? "Enter your name" : null),
      password: (value) => (value.length < shortestPassword ? `At least ${shortestPassword} characters` : null),
    },
  });
  const signUp = useMutation({
    mutationFn: ({ token, ...account }: typeof form.values) =>
      api(routes.identity.signUp, {
        body: { ...account, ...(isSetup && token !== "" ? { bootstrap_token: token } : {}) },
      }),
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
        {isSetup ? (
          <TextInput
            label="Setup token"
            description="From the link that the server printed. It makes this account the admin."
            autoComplete="off"
            {...form.getInputProps("token")}
          />
        ) : null}
        <Button type="submit" loading={signUp.isPending}>
          Create the account
        </Button>
      </Stack>
    </form>
  );
}

// Signing in with e-mail and password.

import { Alert, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { messageOf } from "../../lib/failure.ts";
import { tone } from "../../lib/tones.ts";
import { AnchorLink } from "../../ui/links.tsx";
import { useSignedIn } from "./use-leave-when-signed-in.ts";

type PasswordSignInProps = { readonly returnTo: string | undefined; readonly maySignUp: boolean };

export function PasswordSignIn({ returnTo, maySignUp }: PasswordSignInProps) {
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "", password: "" } });
  const signedIn = useSignedIn();
  const signIn = useMutation({
    mutationFn: (body: typeof form.values) => api(routes.identity.signIn, { body }),
    onSuccess: signedIn,
    meta: { showsOwnErrors: true },
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack>
        {signIn.error ? (
          <Alert color={tone.failure} role="alert">
            {messageOf(signIn.error)}
          </Alert>
        ) : null}
        <TextInput
          label="E-mail"
          type="email"
          required
          autoComplete="username"
          autoFocus
          {...form.getInputProps("email")}
        />
        <PasswordInput label="Password" required autoComplete="current-password" {...form.getInputProps("password")} />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
        {maySignUp ? (
          <Text size="sm" ta="center">
            No account yet?{" "}
            <AnchorLink to="/sign-up" search={{ return_to: returnTo }} underline="always">
              Create one
            </AnchorLink>
          </Text>
        ) : null}
      </Stack>
    </form>
  );
}

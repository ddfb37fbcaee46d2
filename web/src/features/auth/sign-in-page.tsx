// Where one signs in: by the link the start command printed, or by e-mail and password, as the installation says.

import { Alert, Stack } from "@mantine/core";
import { IconClockX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { instanceQuery } from "../../lib/data/me.ts";
import { tone } from "../../lib/tones.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { LinkSignIn } from "./link-sign-in.tsx";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { useLeaveWhenSignedIn } from "./use-leave-when-signed-in.ts";

export function SignInPage() {
  const { error, return_to } = useSearch({ from: "/sign-in" });
  const instance = useQuery(instanceQuery);
  usePageTitle("Sign in");
  useLeaveWhenSignedIn(return_to);
  return (
    <AuthFrame title="Sign in">
      <Stack>
        <QueryView query={instance}>
          {({ mode, sign_up }) => (
            <>
              {error === "link_expired" ? <ExpiredLink hasPasswords={mode === "accounts"} /> : null}
              {mode === "local" ? <LinkSignIn /> : <PasswordSignIn returnTo={return_to} maySignUp={sign_up} />}
            </>
          )}
        </QueryView>
      </Stack>
    </AuthFrame>
  );
}

function ExpiredLink({ hasPasswords }: { readonly hasPasswords: boolean }) {
  return (
    <Alert color={tone.plain} title="This sign-in link has expired" icon={<IconClockX aria-hidden />}>
      A sign-in link works once, and only for a short time.{" "}
      {hasPasswords
        ? "Sign in with your password instead. No password? Ask the person who sent you the link for a new one."
        : "Get a new one as described below."}
    </Alert>
  );
}

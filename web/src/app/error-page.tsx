// Shown instead of a page that broke while loading or rendering.

import { Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { codeOf, messageOf } from "../lib/failure.ts";
import { usePageTitle } from "../ui/use-page-title.ts";

/** In place of the shell, when not even that could be shown. */
export function WholeErrorPage(props: ErrorComponentProps) {
  return (
    <main>
      <ErrorPage {...props} />
    </main>
  );
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const away = codeOf(error) === "unreachable";
  usePageTitle(away ? "No answer" : "Something broke");
  const tryAgain = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Stack align="center" py="xl" px="md" gap="md" ta="center" role="alert">
      <Title order={1} size="h2">
        {away ? "The server does not answer" : "This page broke"}
      </Title>
      <Text maw={520}>
        {away
          ? "This page continues by itself when the server is back."
          : "This is a bug in Homework. Everything you saved is safe."}
      </Text>
      {away ? null : <Code className="pre-wrap">{messageOf(error)}</Code>}
      <Group justify="center">
        <Button onClick={tryAgain}>Try again</Button>
        <Button variant="default" component="a" href="/">
          Start over
        </Button>
      </Group>
    </Stack>
  );
}

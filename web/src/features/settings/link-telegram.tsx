// Links a Telegram chat: a code that is sent to the bot proves whose chat it is.

import { Alert, Anchor, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconBrandTelegram } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { meQuery } from "../../lib/data/me.ts";
import { tone } from "../../lib/tones.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { channelsQuery } from "./settings-queries.ts";

type Telegram = RouteResult<typeof routes.channels.list>["telegram"];
type LinkCode = RouteResult<typeof routes.channels.linkTelegram>;

export function LinkTelegram({ telegram }: { readonly telegram: Telegram }) {
  const [isOpen, setOpen] = useState(false);
  const isAdmin = useQuery(meQuery).data?.user.role === "admin";
  const link = useMutation({
    mutationFn: () => api(routes.channels.linkTelegram, {}),
    onSuccess: () => setOpen(true),
  });
  if (telegram === null)
    return (
      <Text size="sm" c="dimmed">
        Telegram is not set up on this installation.{" "}
        {isAdmin ? (
          <>
            To add a bot, put its token into the config file as <Code>telegram_bot_token</Code> and restart Homework.
          </>
        ) : (
          "Ask the person who manages it to add a Telegram bot."
        )}
      </Text>
    );
  return (
    <>
      {telegram.problem === null ? null : (
        <Alert color={tone.failure} title="The Telegram bot cannot be reached">
          {telegram.problem}
        </Alert>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<IconBrandTelegram size={16} aria-hidden />}
          loading={link.isPending}
          onClick={() => link.mutate()}
        >
          Link Telegram
        </Button>
      </Group>
      {isOpen && link.data ? <LinkDialog code={link.data} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const lookEveryMs = 2_000;

/** Closes by itself once a chat was linked. */
function LinkDialog({ code, onClose }: { readonly code: LinkCode; readonly onClose: () => void }) {
  const { data } = useQuery({ ...channelsQuery, refetchInterval: lookEveryMs });
  const chats = (data?.channels ?? []).filter(({ kind }) => kind === "telegram");
  const [before] = useState(() => chats.map(({ id }) => id));
  const linked = chats.find(({ id }) => !before.includes(id));
  return (
    <Dialog onClose={onClose} title="Link Telegram">
      {linked ? (
        <Alert color="green" title="Linked">
          {linked.name} now gets your questions and results.
        </Alert>
      ) : (
        <Stack>
          {code.url === null ? null : (
            <Text>
              <Anchor href={code.url} target="_blank" rel="noreferrer">
                Open @{code.username} in Telegram
              </Anchor>{" "}
              and press Start.
            </Text>
          )}
          <Text>{code.url === null ? "Send this to the bot:" : "Or send this to the bot:"}</Text>
          <Code block className="pre-wrap" data-testid="link-code">
            /start {code.code}
          </Code>
          <Text size="sm" c="dimmed">
            The code works once and expires <Time at={code.expires_at} />.
          </Text>
        </Stack>
      )}
    </Dialog>
  );
}

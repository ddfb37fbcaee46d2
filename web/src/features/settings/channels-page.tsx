// Channels: where one is told of one's runs besides the pages. Telegram chats can answer, webhooks are for programs.

import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Channel } from "../../../../src/protocol/api.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { ChannelRow } from "./channel-row.tsx";
import { LinkTelegram } from "./link-telegram.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { channelsQuery } from "./settings-queries.ts";

export function ChannelsPage() {
  const channels = useQuery(channelsQuery);
  usePageTitle("Channels", "Settings");
  return (
    <>
      <PageHeader title="Channels" />
      <Text mb="md" maw={640}>
        Get questions and results where you are. Questions can be answered in Telegram.
      </Text>
      <QueryView query={channels}>
        {(data) => (
          <Stack gap="xl">
            <Section title="Telegram" channels={data.channels.filter(({ kind }) => kind === "telegram")}>
              <LinkTelegram telegram={data.telegram} />
            </Section>
            <Section title="Webhooks" channels={data.channels.filter(({ kind }) => kind === "webhook")}>
              <NewWebhook />
            </Section>
          </Stack>
        )}
      </QueryView>
    </>
  );
}

type SectionProps = {
  readonly title: string;
  readonly channels: readonly Channel[];
  readonly children: ReactNode;
};

function Section({ title, channels, children }: SectionProps) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {channels.length > 0 ? (
        <Stack component="ul" gap="xs" className="plain-list">
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </Stack>
      ) : null}
      {children}
    </Stack>
  );
}

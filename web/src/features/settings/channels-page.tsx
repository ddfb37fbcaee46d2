// Channels: where one is told of one's runs besides the pages. Telegram chats can answer, webhooks are for programs.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconBrandTelegram, IconWebhook } from "@tabler/icons-react";
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
        Get questions and results of your runs outside of these pages.
      </Text>
      <QueryView query={channels}>
        {(data) => (
          <Stack gap="md" maw={760}>
            <Section
              title="Telegram"
              icon={<IconBrandTelegram size={22} stroke={1.6} aria-hidden />}
              about="Questions and results come to your phone. You can answer a question in the chat."
              channels={data.channels.filter(({ kind }) => kind === "telegram")}
            >
              <LinkTelegram telegram={data.telegram} />
            </Section>
            <Section
              title="Webhooks"
              icon={<IconWebhook size={22} stroke={1.6} aria-hidden />}
              about="Homework calls an address of yours when a run asks, finishes or fails. For Slack, Zapier or your own program."
              channels={data.channels.filter(({ kind }) => kind === "webhook")}
            >
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
  readonly icon: ReactNode;
  readonly about: string;
  readonly channels: readonly Channel[];
  readonly children: ReactNode;
};

function Section({ title, icon, about, channels, children }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          {icon}
          <div className="grow">
            <Title order={2} size="h5">
              {title}
            </Title>
            <Text size="sm">{about}</Text>
          </div>
        </Group>
        {channels.length > 0 ? (
          <Stack component="ul" gap="xs" className="plain-list">
            {channels.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} />
            ))}
          </Stack>
        ) : null}
        {children}
      </Stack>
    </Paper>
  );
}

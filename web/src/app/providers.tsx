// What every page stands on: theme, server state, dialogs, toasts.

import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { cssVariables, theme } from "./theme.ts";

type ProvidersProps = {
  readonly nonce: string;
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
};

export function Providers({ nonce, queryClient, children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} containerWidth={360} />
        <ModalsProvider modalProps={{ centered: true }}>{children}</ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

// Shown while the server does not answer. Keeps asking, and brings everything up to date when it is back.

import { Affix, Alert, Loader } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { probeServer } from "../lib/probe-server.ts";
import { isReachable, subscribeReachability } from "../lib/reachability.ts";
import { tone } from "../lib/tones.ts";

const askEveryMs = 3_000;

export function ServerBanner() {
  const reachable = useSyncExternalStore(subscribeReachability, isReachable);
  useRecovery(reachable);
  if (reachable) return null;
  return <Away />;
}

function Away() {
  const { ref, height } = useElementSize();
  useRoomBelow(height);
  return (
    <Affix ref={ref} position={{ bottom: 0, left: 0, right: 0 }}>
      <Alert
        color={tone.failure}
        variant="filled"
        radius={0}
        role="alert"
        icon={<Loader size="xs" color="white" />}
        title="The server does not answer"
        styles={{ root: { backgroundColor: "var(--failure-filled)" }, label: { color: "white" } }}
      >
        Nothing you typed is lost. This notice closes when the server is back.
      </Alert>
    </Affix>
  );
}

/** The end of the page, and what sticks there, stay above the banner; see global.css. */
function useRoomBelow(height: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--room-below", `${height}px`);
    return () => void style.removeProperty("--room-below");
  }, [height]);
}

function useRecovery(reachable: boolean): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const wasAway = useRef(false);
  useEffect(() => {
    if (reachable) {
      if (!wasAway.current) return;
      wasAway.current = false;
      void queryClient.invalidateQueries();
      void router.invalidate();
      return;
    }
    wasAway.current = true;
    const timer = setInterval(() => void probeServer(), askEveryMs);
    return () => clearInterval(timer);
  }, [reachable, queryClient, router]);
}

// Everything a tab has to hear of, in one stream: browsers allow few connections per server, and a person has many tabs.

import { z } from "zod";
import { liveTopicsMax } from "../live-topic.ts";
import { read, routesTagged } from "../route.ts";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** `feed@12,run:…@40`: each with the number of the last event one has; without one, what happens from now on. */
const one = `(feed|(run|project|chat|outcome):${uuid})(@\\d{1,15})?`;

const route = routesTagged("live");

export const liveRoutes = {
  follow: route("GET /api/live", {
    policy: read,
    summary:
      "Several streams in one: the data of each event is its topic, a line break, and what that topic's own stream would say; a topic that is not there, or no longer one's own, says `gone` once",
    query: z.strictObject({
      topics: z
        .string()
        .max(1_000)
        .regex(new RegExp(`^${one}(,${one}){0,${liveTopicsMax - 1}}$`), "must be topics, such as feed@12"),
    }),
    result: z.string(),
    streams: true,
  }),
} as const;

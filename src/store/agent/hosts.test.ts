import { expect, test } from "vitest";
import { storeWorld } from "../../../test/helpers/store-world.ts";
import { readHostSilence, seeHost } from "./work-store.ts";

const world = await storeWorld();
const silence = (host: string) => world.db.asSystem((tx) => readHostSilence(tx, host));

test("a host that was never seen has no silence; one that was is silent since its last sign", async () => {
  expect(await silence("here")).toBeNull();
  await world.db.asSystem((tx) => seeHost(tx, "here"));
  await world.admin.query("update homework.agent_hosts set seen_at = now() - interval '1 day'");
  const before = await silence("here");
  expect(before).toBeGreaterThanOrEqual(86_400_000);
  await world.db.asSystem((tx) => seeHost(tx, "here"));
  expect(await silence("here")).toBeLessThan(Number(before));
});

// Who replaces what others may have changed names the version that was read. Every route that changes something stands here: it
// carries a version, or only one person writes what it changes, or it replaces no text.

import { expect, test } from "vitest";
import { z } from "zod";
import { routes } from "./api.ts";

const named = Object.entries(routes).flatMap(([family, group]) =>
  Object.entries(group).map(([name, route]) => ({ name: `${family}.${name}`, route })),
);

/** Routes that change without a version, and why nobody's words are lost. */
const withoutVersion: Readonly<Record<string, string>> = {
  "identity.updateMe": "one's own name and settings",
  "identity.updateUser": "a switch and a role, set by admins; no text",
  "identity.setQuota": "numbers set by admins; no text",
  "models.setRole": "a choice; no text",
  "models.setKey": "a key; nothing to put together",
  "channels.update": "one's own channel",
  "chats.rename": "the title of one's own conversation",
  "memories.update": "one's own memory; HOMЯ writes no text into it",
  "notifications.setPreferences": "one's own switches",
  "projects.updateMember": "a role; no text",
  "runs.label": "the title of one's own run",
  "homr.setConfig": "settings of one's own outcome, one by one",
};

const changing = named.filter(({ route }) => route.method === "patch");

test.each(changing)("$name names the version that was read, or needs none", ({ name, route }) => {
  const needs = z.object({ body: z.instanceof(z.ZodObject) }).safeParse(route);
  const version = needs.success ? needs.data.body.shape.version : undefined;
  const isRequired = version instanceof z.ZodType && !version.safeParse(undefined).success;
  expect([name, isRequired]).toEqual([name, withoutVersion[name] === undefined]);
});

test("no reason stands for a route that is gone", () => {
  const names = changing.map(({ name }) => name);
  expect(Object.keys(withoutVersion).filter((name) => !names.includes(name))).toEqual([]);
});

test("a new approach replaces the one that was read", () => {
  const takes = (body: object) => routes.outcomes.addDesign.body?.safeParse(body).success;
  expect([takes({ text: "Another way" }), takes({ version: 1, text: "Another way" })]).toEqual([false, true]);
});
